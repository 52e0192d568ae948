"""What only runs begun by this release do: asked once, at a run's first step, and handed to every turn.

Never asked for later. A query can split a workflow task behind a local activity; replayed, what follows runs a task
early, before the marker of a patch that was first met there has been read, and `workflow.patched` keeps to that first
answer for good (seen: TMPRL1100 for as long as the conversation lived).
"""

from temporalio import workflow

PATCH = "december-2026"
"""Under it the settings are read by an activity that is not local, runs are left by size and by a timer, small talk
ends with a way in, a refused search is no outage, and names that are not ours, values out of reach and hedged values
are asked about. Each changes which activities or timers a turn asks for, or when the memo is written, so a run that was
begun before goes on as it was until its next run."""


def begun_by_this_release() -> bool:
    """Whether this run is. To be called before anything else that the history will hold."""
    return workflow.patched(PATCH)
