"""The function tools that `converse` can offer, by name: one per criterion, and two more."""

from dataclasses import dataclass

from pydantic import Field

from nightdesk.criteria import CRITERIA
from nightdesk.criteria.base import Arguments


class RerouteRequest(Arguments):
    """No arguments."""


class ChooseHotel(Arguments):
    """Which of the hotels shown."""

    hotel: str = Field(description="The number of the hotel in the list, or its name, as shown")


@dataclass(frozen=True)
class Tool:
    """A strict function tool: its arguments model gives the JSON schema."""

    name: str
    description: str
    arguments: type[Arguments]


REROUTE = Tool(
    "reroute_request",
    "The newest message gives or changes something that none of the other tools records.",
    RerouteRequest,
)
CHOOSE = Tool("choose_hotel", "The guest chose one of the hotels shown.", ChooseHotel)

TOOLS: dict[str, Tool] = {
    tool.name: tool
    for tool in (
        *(Tool(c.tool, c.tool_description, c.arguments_type) for c in CRITERIA),
        REROUTE,
        CHOOSE,
    )
}
