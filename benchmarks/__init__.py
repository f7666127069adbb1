"""Measurements against other programs; `python -m benchmarks [name ...]`."""
