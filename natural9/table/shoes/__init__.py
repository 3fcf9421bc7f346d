"""Cards from chance or from a device."""
