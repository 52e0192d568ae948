"""The ledger: hotels, rooms, inventory, keys, reservations, attempts, encryption sentinels.

Revision ID: 0001
Revises:
"""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

MOMENT = sa.DateTime(timezone=True)
ATTEMPT_ID = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    op.create_table(
        "hotels",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("address", sa.Text, nullable=False),
        sa.Column("airport_miles", sa.Float, nullable=False),
        sa.Column("city_center_miles", sa.Float, nullable=False),
        sa.Column("amenities", sa.JSON, nullable=False),
    )
    op.create_table(
        "room_types",
        sa.Column("hotel_id", sa.Text, sa.ForeignKey("hotels.id"), primary_key=True),
        sa.Column("room_type", sa.Text, primary_key=True),
        sa.Column("capacity", sa.BigInteger, nullable=False),
        sa.Column("base_cents", sa.BigInteger, nullable=False),
        sa.CheckConstraint("capacity > 0", name="capacity_positive"),
        sa.CheckConstraint("base_cents > 0", name="base_positive"),
    )
    op.create_table(
        "inventory",
        sa.Column("hotel_id", sa.Text, primary_key=True),
        sa.Column("room_type", sa.Text, primary_key=True),
        sa.Column("night", sa.Date, primary_key=True),
        sa.Column("capacity", sa.BigInteger, nullable=False),
        sa.Column("free", sa.BigInteger, nullable=False),
        sa.ForeignKeyConstraint(["hotel_id", "room_type"], ["room_types.hotel_id", "room_types.room_type"]),
        sa.CheckConstraint("free >= 0 AND free <= capacity", name="never_oversold"),
    )
    sold_out = sa.text("free = 0")
    op.create_index(
        "inventory_sold_out", "inventory", ["night"], sqlite_where=sold_out, postgresql_where=sold_out
    )
    op.create_table(
        "booking_keys",
        sa.Column("key", sa.Text, primary_key=True),
        sa.Column("fingerprint", sa.Text, nullable=False),
        sa.Column("conversation_id", sa.Text, nullable=False, index=True),
        sa.Column("verdict", sa.Text, nullable=False),
        sa.Column("reason", sa.Text),
        sa.Column("claimed_at", MOMENT, nullable=False),
        sa.CheckConstraint("verdict IN ('open', 'booked', 'refused', 'void')", name="verdict_known"),
        sa.CheckConstraint("(verdict = 'refused') = (reason IS NOT NULL)", name="reason_iff_refused"),
    )
    op.create_table(
        "reservations",
        sa.Column("confirmation_number", sa.Text, primary_key=True),
        sa.Column("key", sa.Text, sa.ForeignKey("booking_keys.key"), nullable=False, unique=True),
        sa.Column("fingerprint", sa.Text, nullable=False),
        sa.Column("conversation_id", sa.Text, nullable=False),
        sa.Column("guest_id", sa.Text, nullable=False, index=True),
        sa.Column("guest_name", sa.Text, nullable=False),
        sa.Column("guest_email", sa.Text, nullable=False),
        sa.Column("hotel_id", sa.Text, nullable=False),
        sa.Column("hotel_name", sa.Text, nullable=False),
        sa.Column("room_type", sa.Text, nullable=False),
        sa.Column("check_in", sa.Date, nullable=False),
        sa.Column("check_out", sa.Date, nullable=False),
        sa.Column("total_cents", sa.BigInteger, nullable=False),
        sa.Column("currency", sa.Text, nullable=False),
        sa.Column("status", sa.Text, nullable=False),
        sa.Column("created_at", MOMENT, nullable=False, index=True),
        sa.Column("cancelled_at", MOMENT),
        sa.ForeignKeyConstraint(["hotel_id", "room_type"], ["room_types.hotel_id", "room_types.room_type"]),
        sa.CheckConstraint("status IN ('active', 'cancelled')", name="status_known"),
        sa.CheckConstraint("check_out > check_in", name="at_least_one_night"),
        sa.CheckConstraint("total_cents >= 0", name="total_not_negative"),
    )
    active = sa.text("status = 'active'")
    op.create_index(
        "one_active_reservation_per_conversation",
        "reservations",
        ["conversation_id"],
        unique=True,
        sqlite_where=active,
        postgresql_where=active,
    )
    op.create_table(
        "reservation_nights",
        sa.Column(
            "confirmation_number",
            sa.Text,
            sa.ForeignKey("reservations.confirmation_number"),
            primary_key=True,
        ),
        sa.Column("night", sa.Date, primary_key=True),
        sa.Column("price_cents", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "attempts",
        sa.Column("id", ATTEMPT_ID, primary_key=True),
        sa.Column("key", sa.Text, nullable=False, index=True),
        sa.Column("conversation_id", sa.Text, nullable=False),
        sa.Column("act", sa.Text, nullable=False),
        sa.Column("outcome", sa.Text, nullable=False),
        sa.Column("reason", sa.Text),
        sa.Column("confirmation_number", sa.Text),
        sa.Column("at", MOMENT, nullable=False),
    )
    op.create_table(
        "encryption_sentinels",
        sa.Column("key_id", sa.Text, primary_key=True),
        sa.Column("sealed", sa.LargeBinary, nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
    )


def downgrade() -> None:
    for table in (
        "encryption_sentinels",
        "attempts",
        "reservation_nights",
        "reservations",
        "booking_keys",
        "inventory",
        "room_types",
        "hotels",
    ):
        op.drop_table(table)
