"""Everything an operator deploys a venue with, as files that are valid as they stand."""
