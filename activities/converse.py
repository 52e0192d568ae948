"""`converse`: one model turn, the reading of a message with function tools or the draft of the results."""

from temporalio import activity

from activities.attempt import attempt
from activities.providers import LanguageProvider
from nightdesk.boundaries import ConverseRequest, ModelTurn
from nightdesk.failures import LANGUAGE_REJECTED
from nightdesk.local_rules.unsure import hold_back


class Converse:
    """The configured provider, and the local reader for when it is out."""

    def __init__(self, configured: LanguageProvider, local: LanguageProvider) -> None:
        self._configured = configured
        self._local = local

    @activity.defn(name="converse")
    async def converse(self, request: ConverseRequest) -> ModelTurn:
        """What the model said or called; its slips are outcomes. Fails as LanguageUnavailable or LanguageRejected."""
        provider = self._local if request.provider == "local" else self._configured
        async with attempt(LANGUAGE_REJECTED):
            answer = await provider.converse(request)
            # Also what a model read: a value that the guest hedges is asked about first.
            return answer if provider is self._local else hold_back(request, answer)
