"""What a laboratory and an auditor ask of the records: win, meters, vouchers, corrections, events, transactions."""
