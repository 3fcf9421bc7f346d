"""What is asked of a disk beside what SQLite asks: files that are whole and durable, or not there."""
