"""Plays a script of tool calls the way agent-zero does, with the extensions that are installed in a root.

    python3 play.py <root> <legacy | current> <id of the chat>

The steps are a list in JSON on standard input; what came of them goes to standard output.
"""

import asyncio
import importlib
import importlib.util
import inspect
import json
import os
import sys

root, layout, chat = sys.argv[1:4]
sys.path.insert(0, root)
package = "python.helpers" if layout == "legacy" else "helpers"
Extension = importlib.import_module(f"{package}.extension").Extension
RepairableException = importlib.import_module(f"{package}.errors").RepairableException


class InterventionException(Exception):
    """Agent-zero raises it where the user speaks up while a tool runs."""


class Response:
    def __init__(self, message, break_loop, additional=None):
        self.message = message
        self.break_loop = break_loop
        self.additional = additional


class FrozenResponse(Response):
    """Of a tool that does not let its message be changed."""

    def __setattr__(self, name, value):
        if name == "message" and "message" in self.__dict__:
            raise AttributeError("message")
        super().__setattr__(name, value)


class Tool:
    def __init__(self, name, args, method):
        self.name, self.args, self.method = name, args, method


class LoopData:
    current_tool = None


class Log:
    def __init__(self):
        self.items = []

    def log(self, type, content):
        self.items.append([type, content])


class Context:
    def __init__(self, id):
        self.id = id
        self.log = Log()


class Agent:
    def __init__(self, number, context):
        self.number = number
        self.context = context
        self.data = {}
        self.history = []
        self.loop_data = LoopData()
        self.last_user_message = object()

    def get_data(self, field):
        return self.data.get(field, None)

    def set_data(self, field, value):
        self.data[field] = value

    def hist_add_warning(self, message):
        self.history.append(message)


class BareAgent:
    """Has nothing that an extension may count on."""


def extensions_of(point):
    """As agent-zero finds them: each file by its path, one class of it, ordered by their names."""
    below = ["python", "extensions"] if layout == "legacy" else ["usr", "plugins", "holdfast", "extensions", "python"]
    folder = os.path.join(root, *below, *point.split("/"))
    names = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
    for name in [name for name in names if name.endswith(".py")]:
        spec = importlib.util.spec_from_file_location(name[:-3], os.path.join(folder, name))
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        members = [kind for _, kind in inspect.getmembers(module, inspect.isclass)]
        yield next(kind for kind in reversed(members) if kind is not Extension and issubclass(kind, Extension))


async def call_extensions(point, agent, **kwargs):
    for kind in extensions_of(point):
        await kind(agent=agent).execute(**kwargs)


async def call_tool(agent, step):
    name, args = step["tool"], step.get("args", {})
    loop_data = getattr(agent, "loop_data", None)
    if loop_data is not None:
        loop_data.current_tool = Tool(name, args, step.get("method"))
    try:
        await call_extensions("tool_execute_before", agent, tool_args=args, tool_name=name)
        if "raises" in step:
            raise {"value": ValueError, "repairable": RepairableException, "user": InterventionException}[
                step["raises"]
            ](step.get("text", ""))
        kind = FrozenResponse if step.get("frozen") else Response
        response = None if step.get("none") else kind(step.get("returns"), step.get("break_loop", False))
        args.clear()  # Some tools take their arguments apart.
        await call_extensions("tool_execute_after", agent, response=response, tool_name=name)
        return {"message": response.message if response else None}
    except Exception as exception:
        if loop_data is not None:
            loop_data.current_tool = None
        if isinstance(exception, InterventionException):
            agent.last_user_message = object()
        data = {"args": (agent,), "kwargs": {}, "result": None, "exception": exception}
        await call_extensions("_functions/agent/Agent/handle_exception/end", agent, data=data)
        assert data["exception"] is exception
        return {"raised": f"{type(exception).__name__}: {exception}"}
    finally:
        if loop_data is not None:
            loop_data.current_tool = None


async def cancelled(agent, step):
    """Begins a call in a task, cancels that while the hook is asked, and tells how it ended."""
    task = asyncio.create_task(call_tool(agent, step))
    await asyncio.sleep(0.3)
    task.cancel()
    try:
        await task
        return {"ended": "as if nothing had happened"}
    except asyncio.CancelledError:
        return {"ended": "cancelled"}


async def play(steps):
    agents, results = {}, []
    context = Context(chat)
    for step in steps:
        number = step.get("agent", 0)
        if number == "none":
            agent = None
        elif number == "bare":
            agent = agents.setdefault(number, BareAgent())
        elif number == "no context":
            agent = agents.setdefault(number, Agent(0, None))
        else:
            agent = agents.setdefault(number, Agent(number, context))
        if "data" in step:
            agent.data.update(step["data"])
            results.append({})
        elif step.get("user"):
            agent.last_user_message = object()
            results.append({})
        elif step.get("cancel"):
            results.append(await cancelled(agent, step))
        else:
            results.append(await call_tool(agent, step))
    first = agents.get(0) or agents.get("no context")
    return {
        "results": results,
        "log": context.log.items,
        "history": getattr(first, "history", []),
        "data": getattr(first, "data", {}),
    }


print(json.dumps(asyncio.run(play(json.load(sys.stdin)))))
