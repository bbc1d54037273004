export const mainHelp = `Usage: holdfast <command> [options]

Makes tool calling hold: as a proxy in front of a model server, as a gateway in
front of MCP servers, in the agent you work with, or from raw text.

Commands:
  start            run what is configured, or a demo model to try it with
  doctor [agent]   tell what a model server does with tool calls, or whether the
                   hooks of an agent work
  install <agent>  build the advisor into an agent such as Claude Code
  uninstall <agent>
                   take it out again
  hook <agent>     what agents run at each tool call
  proxy            stand in front of a model server
  mcp              stand in front of MCP servers
  tools            list the tools of MCP servers, with their circuits
  call             call a tool of an MCP server
  status           watch a gateway that runs: requests, tool calls, circuits
  circuits [name]  list its circuits, or show one with its history
  reset <circuit>  let calls through a circuit again
  isolate <circuit>
                   let no call through it, for a while or until it is reset
  logs             print its log; -f goes on as it is written
  tail             print its requests and tool calls as they happen
  up               run what holdfast.yaml describes
  init [file]      write a holdfast.yaml to begin with
  schema           print the JSON Schema of holdfast.yaml, for editors
  parse [file]     print the calls in a file or in standard input
  formats          list the formats that are recognised, with a sample of each
  classify [file]  tell whether a tool call failed, and how
  completion <shell>
                   complete commands and options in bash, zsh or fish
  play [dir]       watch raw model output being read, broken calls among it
  demo             the whole product in a minute, without a model or keys

Options:
  -h, --help       show this; after a command, show its options
  --version        show the version
`;

export const mcpHelp = `Usage: holdfast mcp [options] -- <command> [arguments]
       holdfast mcp [options] [--config <file>]...

Stands in front of MCP servers: every tool is behind a timeout, a circuit
breaker, retries where they are safe, and advice for the model. With a command,
in place of that one server in any client's mcpServers; with files, many servers
behind one endpoint.

Options:
  --config <file>    mcpServers as clients have them: .mcp.json, VS Code's, that
                     of Claude Desktop; given several times, all of them
                     (default: .mcp.json or .vscode/mcp.json in this folder)
  --yes              start the servers of a file that was found in this folder
                     without asking; needed where there is no terminal
  --listen <address> serve Streamable HTTP at <address>/mcp, such as
                     127.0.0.1:8788, instead of standard input and output
  --host-name <name> a name that clients may use in the Host header, beside the
                     address; may be repeated
  --token <text>     what clients have to show over HTTP
  --prefix <when>    put the server in front of names: auto (the default: where
                     there are several), always or never
  --allow <name>     show only such tools, * for any characters; may be repeated
  --deny <name>      do not show such tools; may be repeated
  --timeout <s>      how long a tool may be silent (default: 60)
  --plugins <file>   plugins that run around calls
  --pins <file>      keep what tools are in this file, so that one that changes
                     is held back after a restart too
  --no-check         do not hold arguments against the schemas of tools
  --no-advice        do not tell the model what to do about failing calls
  --store <url>      share circuits with other gateways through this Redis
                     (HOLDFAST_STORE)
  --no-history       keep nothing on disk of what is known of calls
  --log <level>      debug, info (the default), warn, error or silent
  --json             with --listen, print where it listens as JSON
  -h, --help         show this

Environment: HOLDFAST_TOKEN and HOLDFAST_LOG hold where the option is not given.
A server behind -- gets all other variables; servers of files get a few that
every program needs, and their own.

Exit code: 0 when the client has gone or it was told to stop, 1 when it cannot
listen, 2 when something was wrong with the options or files.

Examples:
  holdfast mcp -- npx -y @modelcontextprotocol/server-everything
  holdfast mcp --config .mcp.json --listen 127.0.0.1:8788
`;

export const toolsHelp = `Usage: holdfast tools [options] [-- <command> [arguments]]

Lists the tools of MCP servers under the names that clients see: the server, the
state of the circuit, and what the tool is for. Of a gateway that runs with
--url, else of servers that are started for it.

Options:
  --url <address>    ask a gateway that runs, such as http://127.0.0.1:8788
  --token <text>     what that gateway wants to be shown
  --config <file>    mcpServers as clients have them, as for holdfast mcp
  --yes              start the servers of a file that was found in this folder
                     without asking; needed where there is no terminal
  --prefix <when>    auto (the default), always or never
  --json             print JSON
  --log <level>      debug, info, warn, error (the default) or silent
  -h, --help         show this

Exit code: 0, 2 when something was wrong with the options or files, 5 when a
server is not there; the tools of the others are listed all the same.

Examples:
  holdfast tools -- npx -y @modelcontextprotocol/server-everything
  holdfast tools --url http://127.0.0.1:8788
`;

export const callHelp = `Usage: holdfast call [options] <server> <tool> [key=value]...
       holdfast call [options] <tool> [key=value]... -- <command> [arguments]

Calls a tool of an MCP server as the gateway calls it for a model: arguments are
checked and mended, and what is printed is what the model would read.

Arguments: key=value is read by the tool's schema, key:=json as it is; a key
that is given several times is a list.

Options:
  --config <file>    mcpServers as clients have them, as for holdfast mcp
  --yes              start the server of a file that was found in this folder
                     without asking; needed where there is no terminal
  --json <object>    all arguments at once; those of key=value win over it
  --raw              print the whole result as JSON
  --timeout <s>      how long the tool may be silent (default: 60)
  --plugins <file>   plugins that run around calls
  --no-check         do not hold arguments against the schema
  --no-advice        do not add advice
  --log <level>      debug, info, warn, error (the default) or silent
  -h, --help         show this

Exit code: 0, 2 when something was wrong with the options, files or arguments,
4 when the tool failed, 5 when the server is not there.

Examples:
  holdfast call everything get-sum a=2 b=3
  holdfast call read_file path=a.txt -- npx -y my-files-server
`;

export const proxyHelp = `Usage: holdfast proxy --upstream <url> [options]

Stands in front of a server that runs models, and makes its tool calls arrive:
clients of OpenAI's Chat Completions and Responses and of Anthropic's Messages
connect here.

Options:
  --upstream <url>   the server, such as http://127.0.0.1:1234/v1; given several
                     times, each is asked where those before it fail
  --port <n>         the port to listen on (default: 8787; 0: any that is free)
  --host <address>   the address to listen on (default: 127.0.0.1; any other
                     than loopback needs a token)
  --host-name <name> a name that clients may use in the Host header, beside the
                     address; may be repeated
  --token <text>     what clients have to show
  --api-key <text>   the server's key; without one, the key that the client
                     sends is passed on
  --model <name>     ask the server for this model, whatever clients ask for
  --protocol <name>  what the server speaks: chat (the default), messages,
                     responses, both (chat and messages) or all
  --tool-mode <how>  how models hear of tools: native, prompt, or auto (the
                     default: native until that turns out not to work)
  --tool-format <name>
                     the dialect of tools in a prompt; without one, that of the
                     model by its name
  --no-advice        do not tell the model what to do about calls that keep
                     failing
  --on-invalid <how> a call that does not fit its tool: forward (the default),
                     or ask-again (ask the model once more)
  --eager            tell arguments while they are read, before a call is known
                     to be whole
  --formats <names>  read calls in these formats only, separated by commas
  --no-bare-calls    do not read text without markup as a call
  --starts-in-reasoning <how>
                     answers begin inside reasoning that the prompt opened:
                     true, false, or auto (the default: known by the name of
                     the model, or learned from its answers)
  --trace-dir <dir>  write one redacted JSON per request
  --capture          keep the last requests with their text in memory, for the
                     dashboard: what the model wrote and what the client got
  --no-history       keep nothing on disk of what is known of requests
  --store <url>      share circuits with other gateways through this Redis
                     (HOLDFAST_STORE)
  --log <level>      debug, info (the default), warn, error or silent
  --json             print where it listens as JSON
  -h, --help         show this

Environment: HOLDFAST_UPSTREAM, HOLDFAST_HOST, HOLDFAST_TOKEN, HOLDFAST_API_KEY
and HOLDFAST_LOG hold where the option is not given. A key is better put there:
the options of a program can be seen by others on the machine.

Exit code: 0 when it was told to stop (Ctrl-C; a second one stops at once),
1 when it cannot listen, 2 when something was wrong with the options.

Examples:
  holdfast proxy --upstream http://127.0.0.1:1234/v1
  holdfast proxy --upstream http://127.0.0.1:11434/v1 --model qwen3-coder
`;

export const upHelp = `Usage: holdfast up [options]

Runs what a configuration describes, and loads it again when it changes or at
SIGHUP. A file that is wrong changes nothing: what is wrong is logged.

Options:
  --config <file>  the configuration (default: holdfast.yaml)
  --store <url>    share circuits with other gateways through this Redis, as
                   redis://127.0.0.1:6379; wins over the file, as
                   HOLDFAST_STORE does
  --log <level>    debug, info, warn, error or silent; wins over the file, as
                   HOLDFAST_LOG does
  --no-history     keep nothing on disk of what is known of requests
  --json           print where it listens as JSON
  -h, --help       show this

Exit code: 0 when it was told to stop (Ctrl-C; a second one stops at once),
1 when it cannot listen, 2 when something was wrong with the options or the
configuration.
`;

export const initHelp = `Usage: holdfast init [options] [file]

Writes a configuration with every key and its default in comments.

Arguments:
  file        where to (default: holdfast.yaml)

Options:
  --force     overwrite a file that exists
  --json      print the name of the file as JSON
  -h, --help  show this
`;

export const schemaHelp = `Usage: holdfast schema

Prints the JSON Schema of holdfast.yaml. Editors complete and check the file
with it: holdfast schema > holdfast.schema.json

Options:
  --json      the same
  -h, --help  show this
`;

export const parseHelp = `Usage: holdfast parse [options] [file]

Reads a model's raw answer from a file, or from standard input when no file
or - is given, and prints the tool calls in it as JSON.

Options:
  --format <name>       try this format first (holdfast formats lists them)
  --model <name>        try the format of this model first
  --tools <file>        the tools that were offered: a JSON array in the shape
                        of OpenAI, Anthropic or MCP; near misses of a name are
                        set right, values are typed by the schemas
  --unknown-tool <how>  take a call of a tool that was not offered as text (the
                        default; with an issue), as issue (a call with an
                        issue) or as call (like any other)
  --as <shape>          holdfast (the default), openai or anthropic
  --json                print JSON, as it does without --explain
  --explain             say why, for people: each parser tried, where, what it
                        decided and what was repaired
  --stream              print one event per line as the input arrives
  --calls-in-reasoning [mode]
                        read calls inside <think> and its kin as well; mode is
                        read, ignore, or if-unclosed (the default without this
                        option): where the reasoning never ends after them
  --formats <names>     read calls in these formats only, separated by commas
  --starts-in-reasoning <how>
                        the text begins inside reasoning that the prompt opened:
                        true, false, or auto (the default: calls before a
                        closing tag alone are reasoning; with --stream false)
  --no-bare-calls       do not read text without markup as a call; with --tools,
                        text such as f(a=1) that fits a tool is one otherwise
  --incomplete          return a call the text ended in as an incomplete call
                        instead of as text
  -h, --help            show this

Exit code: 0 with calls, 3 with none, 2 when something was wrong with the
options or the input.

Examples:
  holdfast parse answer.txt
  holdfast parse --explain answer.txt
  some-model | holdfast parse --stream --tools tools.json
`;

export const formatsHelp = `Usage: holdfast formats [options]

Lists the formats in the order they are tried: the name, the models that write
it, and a sample on one line, cut to the width of the terminal.

Options:
  --json      print JSON, with whole samples and priorities
  -h, --help  show this
`;

export const classifyHelp = `Usage: holdfast classify [options] [file]

Reads what a tool returned from a file, or from standard input when no file or
- is given, and tells whether the call failed, and how.

Options:
  --tool <name>        the tool (default: bash)
  --command <text>     the command that a shell ran: exit code 1 of grep is no
                       failure
  --kind <kind>        what the tool returns: reader, shell, api or edit (the
                       default is guessed from its name)
  --exit-code <n>      the exit code
  --status <n>         the HTTP status
  --is-error [true|false]
                       what the host says: that it is an error, or that it is
                       none
  --json               print JSON
  -h, --help           show this

Exit code: 4 when the call failed, 0 when it did not or nobody can tell, 2 when
something was wrong with the options or the input.

Examples:
  make 2>&1 | holdfast classify
  holdfast classify --exit-code 124 --json < build.log
  holdfast classify --tool http_request --status 429 answer.json
`;

export const demoHelp = `Usage: holdfast demo [options]

Runs the whole product without a model and without keys: the gateway before a
demo model that writes its calls as raw text in some forty dialects, four MCP
tools of which one is flaky, and agents that use them all. The dashboard shows
what happens; in the first minute a circuit opens and closes again. Nothing of
it is kept.

Options:
  --open         open the dashboard in a browser
  --port <n>     the port to listen on (default: 8787, or the next one that is
                 free)
  --no-traffic   no agents: only what you do yourself
  --flaky <s>    for so many seconds the flaky tool fails, and then works
                 (default: 20)
  --json         print where it listens as JSON
  --log <level>  print the log from this level on: debug, info, warn, error (the
                 default) or silent; holdfast logs prints all of it
  -h, --help     show this
`;

export const playHelp = `Usage: holdfast play [options] [dir]

Streams raw model outputs through the engine at a readable pace, and shows
text, calls, repairs and the format that was detected. When the output is no
terminal, it is plain and there are no pauses.

Arguments:
  dir         a folder of .txt files to show instead of the built-in ones

Options:
  --fast      no pauses
  -h, --help  show this
`;

export const startHelp = `Usage: holdfast start [options]

Runs the gateway: in front of HOLDFAST_UPSTREAM where that is set, else with
holdfast.yaml where the working directory has one, else as holdfast demo does.
Prints the addresses, and for the demo commands to paste.

Options:
  --port <n>     the port to listen on (default: 8787, or the next one that is
                 free)
  --host <address>
                 the address to listen on in front of HOLDFAST_UPSTREAM
                 (default: 127.0.0.1; any other than loopback needs a token);
                 the environment variable HOLDFAST_HOST says the same
  --token <text>
                 what clients have to show there; better HOLDFAST_TOKEN, as
                 options can be seen by others on the machine
  --open         open the dashboard of the demo in a browser
  --log <level>  debug, info (the default; error for the demo), warn, error or
                 silent; the environment variable HOLDFAST_LOG says the same
  --no-history   keep nothing on disk of what is known of requests
  --json         print where it listens as JSON
  -h, --help     show this

Examples:
  holdfast start
  HOLDFAST_UPSTREAM=http://127.0.0.1:1234/v1 holdfast start
`;

export const installHelp = `Usage: holdfast install <agent> [options]

Builds the advisor into an agent: when tool calls keep failing or go in circles,
the model is told what failed and what to try instead. Shows what is changed,
keeps everything else in the file byte for byte, and keeps a backup beside it.

Agents: claude-code, codex, gemini, opencode, agent-zero

Options:
  --user        for all that you do (the default)
  --project     for this folder, in files that others of the project share
  --root <dir>  where agent-zero is (default: /a0)
  --veto        also stop a call that has failed the same way before and would
                again
  --dry-run     show what would be changed, and change nothing
  --json        print what was changed as JSON, without the difference
  -h, --help    show this

Exit code: 0, also when there is nothing to do; 2 when something was wrong with
the options, or a file could not be read or written: then nothing is changed.

Examples:
  holdfast install claude-code
  holdfast install gemini --project --dry-run
`;

export const uninstallHelp = `Usage: holdfast uninstall <agent> [options]

Takes the advisor out of an agent. A file that is as the install left it becomes
what it was before, to the byte; of any other, only our entries go.

Agents: claude-code, codex, gemini, opencode, agent-zero

Options:
  --user        what was installed for all that you do (the default)
  --project     what was installed for this folder
  --root <dir>  where agent-zero is (default: /a0)
  --dry-run     show what would be changed, and change nothing
  --json        print what was changed as JSON, without the difference
  -h, --help    show this

Exit code: 0, also when there is nothing to do; 2 when something was wrong with
the options, or a file could not be read or written: then nothing is changed.
`;

export const hookHelp = `Usage: holdfast hook <agent> [--veto]

Run by an agent at each tool call: reads what happened as JSON from standard
input, and prints what the model should be told about it, as JSON for that
agent. holdfast install <agent> sets it up.

Agents: claude-code, codex, gemini, opencode, agent-zero

Options:
  --veto      also stop a call that has failed the same way before and would
              again
  -h, --help  show this

What happened is remembered for each conversation, without secrets, for 14 days
in a folder that only you can read: $XDG_STATE_HOME/holdfast/hooks, or where
your system keeps such things. HOLDFAST_STATE_DIR names another folder.

The section advisor of the user's holdfast.yaml sets when there is advice and
what it says: $XDG_CONFIG_HOME/holdfast/holdfast.yaml, or where your system
keeps such things. HOLDFAST_CONFIG names another file.

Exit code: 0 whatever happens, so that the call goes on; 1 when something was
wrong with the options, which lets it go on, too. With HOLDFAST_DEBUG=1 it tells
on standard error what went wrong.
`;

export const doctorHelp = `Usage: holdfast doctor --upstream <url> [options]
       holdfast doctor <agent> [--user|--project] [--root <dir>] [--json]

Asks a model server for a tool call, streamed and whole, and tells what comes
back: whether the server takes tools and reads the model's calls itself, in
which dialect they arrive, whether they are complete and valid, which protocols
it speaks, and what Holdfast would do. Without a server, it tells what was tried
and what happened.

With an agent (claude-code, codex, gemini, opencode or agent-zero) it looks
whether the hooks are built in, and runs the hook as the agent would, with the
same failing call twice.

Options:
  --upstream <url>     the server, such as http://127.0.0.1:1234/v1
  --model <name>       the model to ask (default: the first that is listed)
  --api-key <text>     the server's key; HOLDFAST_API_KEY says the same, and
                       cannot be seen by other users
  --timeout <seconds>  for each answer (default: 120; a model may have to load)
  --user, --project, --root <dir>
                       of an agent: where the hooks were installed, as for
                       holdfast install
  --json               print JSON
  -h, --help           show this

Exit code: 0 when calls arrive, with Holdfast if not without, or the hooks work;
3 when the model made no call; 5 when the server could not be asked; 1 when the
hooks do not work; 2 when something was wrong with the options.

Examples:
  holdfast doctor --upstream http://127.0.0.1:11434/v1
  holdfast doctor --upstream http://127.0.0.1:1234 --model qwen3-coder --json
  holdfast doctor claude-code
`;
