from helpers.extension import Extension
from holdfast_hook import *


class ToolFallbackExceptions(Extension):
    """Tells Holdfast of tools that raised. The exception itself is left to the others."""

    async def execute(self, data: dict | None = None, **kwargs):
        try:
            await tell_exception(self.agent, data.get("exception") if data else None)
        except STOPS:
            raise
        except BaseException:
            return
