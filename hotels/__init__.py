"""The hotel system: catalogue, prices, the ledger of rooms and reservations, and the MCP search server."""
