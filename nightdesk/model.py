"""The base of every model on a wire or in the state: frozen, and readable by an older worker."""

from pydantic import BaseModel, ConfigDict


class Frozen(BaseModel):
    """Immutable; unknown fields are ignored, so that old code reads what newer code wrote."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class Guest(Frozen):
    """Who the conversation books for. `id` is the e-mail address in lower case."""

    id: str
    name: str
    email: str
