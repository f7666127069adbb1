"""Examples may take their time: the machine is shared, and a slow one is no failure."""

from hypothesis import settings

settings.register_profile("patient", deadline=None)
settings.load_profile("patient")
