"""Pure rules and every pydantic model of the conversation: no Temporal, no I/O, no clock."""
