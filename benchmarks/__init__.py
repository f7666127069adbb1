"""Measurements, mostly against other programs; `python -m benchmarks [name ...]`."""
