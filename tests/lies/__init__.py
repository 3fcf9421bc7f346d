"""Lies planted in journals, and who catches each: what docs/trust.md says, shown."""
