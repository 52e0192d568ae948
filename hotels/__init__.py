"""The hotel system: catalogue, prices, the ledger of rooms and reservations, the MCP server."""
