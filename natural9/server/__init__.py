"""HTTP and WebSocket: wire types, sign-in and ranks, reports, and the process that runs the tables."""
