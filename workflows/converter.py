"""The data converter of every client and worker of ours: pydantic's, and nothing that it cannot read is lost.

An argument that a workflow leaves untyped and that cannot be decoded arrives as its raw payload. The
stock converter raises instead, which fails the workflow task for ever.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from temporalio.api.common.v1 import Payload
from temporalio.common import RawValue
from temporalio.contrib.pydantic import PydanticPayloadConverter, pydantic_data_converter
from temporalio.converter import DataConverter


class TolerantPayloadConverter(PydanticPayloadConverter):
    """As pydantic's for whatever has a type hint."""

    def from_payloads(self, payloads: Sequence[Payload], type_hints: list[type] | None = None) -> list[Any]:
        """Values in order; without a hint, what cannot be decoded is a RawValue."""
        if type_hints:
            return super().from_payloads(payloads, type_hints)
        return [self._value(payload) for payload in payloads]

    def _value(self, payload: Payload) -> Any:
        try:
            return super().from_payloads([payload])[0]
        except (KeyError, ValueError, RuntimeError):
            return RawValue(payload)


data_converter: DataConverter = replace(pydantic_data_converter, payload_converter_class=TolerantPayloadConverter)
