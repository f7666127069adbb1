"""Measurements, mostly in comparison with other programs: `python -m benchmarks [NAME ...]`."""
