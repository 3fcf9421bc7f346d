"""The journal in a PostgreSQL database: for a venue that outgrows one machine. Imported only where there is one."""
