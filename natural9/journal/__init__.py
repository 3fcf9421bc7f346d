"""What has happened: every event, the line of the journal that keeps it, and the accounts it moves money between."""
