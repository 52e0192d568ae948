"""Rooms by night: taken by a booking, given back by a cancellation. Inside the caller's transaction.

Rows are made on demand, with the capacity of that moment; no row means that every room is free.
"""

from datetime import datetime

from sqlalchemy import Connection, update

from hotels.ledger.database import upsert
from hotels.ledger.rules import Refusal
from hotels.ledger.tables import InventoryRow, ReservationRow
from nightdesk.booking import Offer
from nightdesk.stay import Stay


def take_nights(connection: Connection, offer: Offer, capacity: int) -> None:
    """One room off each night, in date order: in any other, two overlapping stays can wait for each other."""
    for night in offer.stay.nights:
        row = upsert(connection, InventoryRow).values(
            hotel_id=offer.hotel_id,
            room_type=offer.room_type,
            night=night,
            capacity=capacity,
            free=capacity - 1,
        )
        taken = row.on_conflict_do_update(
            index_elements=[InventoryRow.hotel_id, InventoryRow.room_type, InventoryRow.night],
            set_={"free": InventoryRow.free - 1},
            where=InventoryRow.free > 0,
        ).returning(InventoryRow.free)
        if connection.execute(taken).first() is None:
            raise Refusal("sold_out")


def give_back(connection: Connection, number: str, now: datetime) -> bool:
    """Cancel an active reservation and give each of its nights back once; False if there was none active."""
    cancelled = connection.execute(
        update(ReservationRow)
        .where(ReservationRow.confirmation_number == number, ReservationRow.status == "active")
        .values(status="cancelled", cancelled_at=now)
        .returning(ReservationRow.hotel_id, ReservationRow.room_type, ReservationRow.check_in, ReservationRow.check_out)
    ).one_or_none()
    if cancelled is None:
        return False
    for night in Stay(check_in=cancelled.check_in, check_out=cancelled.check_out).nights:
        given = connection.execute(
            update(InventoryRow)
            .where(
                InventoryRow.hotel_id == cancelled.hotel_id,
                InventoryRow.room_type == cancelled.room_type,
                InventoryRow.night == night,
            )
            .values(free=InventoryRow.free + 1)
        )
        if given.rowcount != 1:
            raise RuntimeError(f"{number}: no inventory for the night of {night}")
    return True
