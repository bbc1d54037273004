from helpers.extension import Extension
from holdfast_hook import *


class ToolFallbackLogger(Extension):
    """Tells Holdfast what tools returned, and puts its advice behind the result."""

    async def execute(self, response=None, **kwargs):
        try:
            await tell_after(self.agent, kwargs.get("tool_name", ""), response)
        except STOPS:
            raise
        except BaseException:
            return
