"""`conversation_settings`: the settings that a conversation needs, recorded in its history once."""

from temporalio import activity

from nightdesk.conversation_settings import ConversationSettings


class HeldSettings:
    """The worker's settings, as far as a conversation needs them."""

    def __init__(self, settings: ConversationSettings) -> None:
        self._settings = settings

    @activity.defn(name="conversation_settings")
    async def conversation_settings(self) -> ConversationSettings:
        """No network, no failure."""
        return self._settings
