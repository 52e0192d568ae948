"""Alembic's entry, run by `hotels.ledger.schema.upgrade` inside a transaction that it opened."""

from alembic import context

from hotels.ledger.tables import Base

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Base.metadata,
    transactional_ddl=True,
)
context.run_migrations()
