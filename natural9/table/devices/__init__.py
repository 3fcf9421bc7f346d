"""Devices at a table that speak in lines of text."""
