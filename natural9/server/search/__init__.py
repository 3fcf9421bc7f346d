"""Anything in the records found again: by time, table, seat, device, voucher, amount, result or person."""
