from typing import Any

from helpers.extension import Extension
from holdfast_hook import *

try:
    from helpers.errors import RepairableException
except Exception:
    # Without it a call cannot be stopped in a way that the agent survives.
    RepairableException = None


class ToolFallbackAdvisor(Extension):
    """Tells Holdfast of tool calls before they run, and the model what it says."""

    async def execute(self, tool_args: dict[str, Any] | None = None, tool_name: str = "", **kwargs):
        try:
            veto = await tell_before(self.agent, tool_name, tool_args)
        except STOPS:
            raise
        except BaseException:
            return
        if veto and RepairableException is not None:
            # Agent-zero tells the model, and does not run the tool.
            raise RepairableException(veto)
