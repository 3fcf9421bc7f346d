"""What everybody at a table may see, told outside: to a webhook, to NATS."""
