# What the extensions share: agent-zero loads each file by its path, so that they cannot import each other. All that
# is decided is decided by `holdfast hook agent-zero`; here it is only told what happened and what it says passed on.
import asyncio
import inspect
import json
import subprocess
import uuid

# How the hook is run. `holdfast install agent-zero` fills it in.
COMMAND = []
# Whether the hook may stop a call.
MAY_STOP = "--veto" in COMMAND

TIME_LIMIT_SECONDS = 3
# The beginning and the end say what became of a call; agent-zero itself cuts what is in between.
MOST_OUTPUT = 64_000
MOST_CALLS = 20
MOST_HISTORY = 20

MEMORY_KEY = "_holdfast"
FAILURES_KEY = "_tool_failures"

# The tool by which the model answers the user: nothing that could fail, and no place for advice.
ANSWER_TOOL = "response"

# Whoever stops the agent has to be heard. Everything else that goes wrong in here is nobody's problem.
STOPS = (asyncio.CancelledError, KeyboardInterrupt, SystemExit, GeneratorExit)

# The user spoke up, or somebody has dealt with it: the tool did not fail.
NO_FAILURES = {"InterventionException", "HandledException"}


async def tell_before(agent, tool_name, tool_args):
    """
    Keeps that a call begins until something ends: each process of the hook costs what starting Node costs. It is
    reported at once where there may be something to say. Returns why the call must not run, or None.
    """
    if agent is None or not tool_name or tool_name == ANSWER_TOOL:
        return None
    memory = recall(agent)
    raised = take_raised(agent, memory)
    user = id(getattr(agent, "last_user_message", None))
    spoke = memory.get("user") not in (None, user)
    memory["user"] = user
    call = make_call(agent, tool_name, tool_args)
    memory["calls"] = [*memory["calls"], call][-MOST_CALLS:]
    remember(agent, memory)

    event = describe(agent, memory, "tool_execute_before", call)
    if spoke:
        event["user_spoke"] = True
    if raised:
        event["raised"] = {key: raised[key] for key in ("call_id", "tool", "args")}
    if not (raised or MAY_STOP):
        memory["unsent"] = [*memory.get("unsent", []), event][-MOST_CALLS:]
        remember(agent, memory)
        return None
    answer = await ask(agent, event)
    veto = text_of(answer, "veto")
    if veto:
        # It does not run, so that it does not end either.
        take_call(agent, recall(agent), call["call_id"])
        log(agent, answer)
        return veto
    advice = text_of(answer, "advice")
    if advice:
        note(agent, call, answer)
        await warn(agent, advice)
    return None


async def tell_after(agent, tool_name, response):
    """Tells of a call that has ended, and puts advice behind its result."""
    if agent is None or response is None or not tool_name:
        return
    memory = recall(agent)
    call = take_call(agent, memory, named=tool_name)
    if tool_name == ANSWER_TOOL or getattr(response, "break_loop", False):
        return
    if call is None:
        tool = getattr(getattr(agent, "loop_data", None), "current_tool", None)
        call = make_call(agent, tool_name, getattr(tool, "args", None))
    event = describe(agent, memory, "tool_execute_after", call)
    event["output"] = cut(response.message)
    answer = await ask(agent, event)
    advice = text_of(answer, "advice")
    if not advice:
        return
    note(agent, call, answer)
    try:
        if not isinstance(response.message, str):
            raise TypeError("message")
        response.message += "\n\n" + advice
    except Exception:
        # Not a text, or not to be changed.
        await warn(agent, advice)


async def tell_exception(agent, exception):
    """Tells of a call that raised: it never gets as far as tool_execute_after."""
    if agent is None or exception is None:
        return
    memory = recall(agent)
    call = take_call(agent, memory)
    names = {kind.__name__ for kind in type(exception).__mro__}
    if call is None or names & NO_FAILURES:
        return
    event = describe(agent, memory, "tool_exception", call)
    event["error"] = cut(f"{type(exception).__name__}: {exception}")
    answer = await ask(agent, event)
    advice = text_of(answer, "advice")
    if advice:
        note(agent, call, answer)
        await warn(agent, advice)


async def ask(agent, event):
    """
    Sends an event with those that were kept, oldest first. Returns what the hook says: a dict, and an empty one where
    it says nothing, in time, that can be read.
    """
    try:
        memory = recall(agent)
        earlier = memory.pop("unsent", [])
        remember(agent, memory)
        told = json.dumps({**event, "earlier": earlier}, default=str, skipkeys=True).encode()

        def run():
            return subprocess.run(
                COMMAND,
                input=told,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                timeout=TIME_LIMIT_SECONDS,
            ).stdout

        # In a thread: not every event loop can run processes. It may have to wait for one, so it has a limit too.
        answer = json.loads(await asyncio.wait_for(asyncio.to_thread(run), TIME_LIMIT_SECONDS + 1))
        return answer if isinstance(answer, dict) else {}
    except Exception:
        return {}


def describe(agent, memory, name, call):
    return {
        "event": name,
        "session": session_of(agent, memory),
        "agent": getattr(agent, "number", 0),
        "call_id": call["call_id"],
        "tool": call["tool"],
        "args": call["args"],
    }


def session_of(agent, memory):
    """The id of the chat; an agent without one has an id of its own as long as it lives."""
    known = getattr(getattr(agent, "context", None), "id", None)
    if known:
        return str(known)
    if "session" not in memory:
        memory["session"] = uuid.uuid4().hex
        remember(agent, memory)
    return memory["session"]


def make_call(agent, tool_name, tool_args):
    """A call as it is remembered until it ends. Arguments are copied: tools change them."""
    loop = getattr(agent, "loop_data", None)
    method = getattr(getattr(loop, "current_tool", None), "method", None)
    return {
        "call_id": uuid.uuid4().hex,
        "tool": f"{tool_name}:{method}" if isinstance(method, str) and method else str(tool_name),
        "name": tool_name,
        "args": plain(tool_args),
        "task": id(asyncio.current_task()),
        "loop": id(loop),
        "user": id(getattr(agent, "last_user_message", None)),
    }


def take_raised(agent, memory):
    """A call that began and never ended, though the user did not interrupt it: where nobody told of it, it raised."""
    call = take_call(agent, memory)
    if call is None or call["user"] != id(getattr(agent, "last_user_message", None)):
        return None
    return call


def take_call(agent, memory, call_id=None, named=None):
    """The newest call that began in this task and has not ended. It is forgotten then."""
    task, loop = id(asyncio.current_task()), id(getattr(agent, "loop_data", None))
    for call in reversed(memory["calls"]):
        is_wanted = named in (None, call["name"]) and call_id in (None, call["call_id"])
        if is_wanted and call["task"] == task and call["loop"] == loop:
            memory["calls"] = [other for other in memory["calls"] if other is not call]
            remember(agent, memory)
            return call
    return None


def recall(agent):
    try:
        memory = agent.get_data(MEMORY_KEY)
        if isinstance(memory, dict) and isinstance(memory.get("calls"), list):
            return dict(memory)
    except Exception:
        pass
    return {"calls": []}


def remember(agent, memory):
    try:
        agent.set_data(MEMORY_KEY, dict(memory))
    except Exception:
        pass


def note(agent, call, answer):
    """Writes advice that was given to the log and to the agent's data."""
    log(agent, answer)
    try:
        failures = agent.get_data(FAILURES_KEY) or {"by": "holdfast", "history": []}
        # What somebody else keeps under this name stays as it is.
        if failures.get("by") != "holdfast":
            return
        entry = {"tool": call["tool"], "message_preview": text_of(answer, "advice")[:150]}
        history = [*failures["history"], entry][-MOST_HISTORY:]
        agent.set_data(FAILURES_KEY, {**failures, "history": history})
    except Exception:
        pass


def log(agent, answer):
    try:
        agent.context.log.log(type="warning", content=text_of(answer, "log"))
    except Exception:
        pass


async def warn(agent, text):
    try:
        added = agent.hist_add_warning(text)
        if inspect.isawaitable(added):
            await added
    except Exception:
        pass


def text_of(answer, key):
    text = answer.get(key)
    return text if isinstance(text, str) else ""


def plain(value):
    """What JSON can hold of a value."""
    try:
        return json.loads(json.dumps(value, default=str, skipkeys=True))
    except Exception:
        return None


def cut(value):
    text = value if isinstance(value, str) else "" if value is None else str(value)
    if len(text) <= MOST_OUTPUT:
        return text
    half = MOST_OUTPUT // 2
    return f"{text[:half]}\n[…]\n{text[-half:]}"
