"""The journal: one contract, kept by several stores. Records and money in one transaction; no rules in here."""
