"""`demotic serve`: translation for other programs, in the dialects that they speak, and a page.

`service.py` translates and knows nothing of HTTP; each dialect is one file of handlers over it.
Needs the extra `serve`, except for `options.py` and what the service itself is made of.
"""
