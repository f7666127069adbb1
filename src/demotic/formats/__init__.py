"""Reads and writes tables and configurations of Moses, cdec and Joshua."""
