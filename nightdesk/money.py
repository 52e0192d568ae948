"""Money: exact decimal amounts in the currency's units, whole cents, never a float."""

from decimal import ROUND_HALF_UP, Decimal

CENT = Decimal("0.01")
CURRENCY = "USD"


def to_cents(amount: Decimal) -> int:
    """The amount in minor units; half a cent is rounded up."""
    return int((amount / CENT).quantize(Decimal(1), rounding=ROUND_HALF_UP))


def from_cents(cents: int) -> Decimal:
    """Minor units as an amount with two decimals: 61290 -> 612.90."""
    return Decimal(cents) * CENT


def words(amount: Decimal, currency: str = CURRENCY) -> str:
    """For guests: "$700" or "$1,612.90"; another currency is named: "EUR 700"."""
    rounded = amount.quantize(CENT)
    digits = f"{rounded:,.0f}" if rounded == rounded.to_integral_value() else f"{rounded:,.2f}"
    return f"${digits}" if currency == "USD" else f"{currency} {digits}"
