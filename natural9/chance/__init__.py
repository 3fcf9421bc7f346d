"""Whether the shuffler is fair, by statistics of whole shoes, and its raw bytes for the batteries of others."""
