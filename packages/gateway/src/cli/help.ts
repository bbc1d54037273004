export const mainHelp = `Usage: holdfast <command> [options]

Reads tool calls out of raw model text.

Commands:
  parse [file]     print the calls in a file or in standard input
  formats          list the formats that are recognised, with a sample of each
  classify [file]  tell whether a tool call failed, and how
  demo [dir]       watch raw model output being read, broken calls among it

Options:
  -h, --help       show this; after a command, show its options
  --version        show the version
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
  --explain             say why, for people: each parser tried, where, what it
                        decided and what was repaired
  --stream              print one event per line as the input arrives
  --calls-in-reasoning [mode]
                        read calls inside <think> and its kin as well; mode is
                        read, ignore, or if-unclosed (the default without this
                        option): where the reasoning never ends after them
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

export const demoHelp = `Usage: holdfast demo [options] [dir]

Streams raw model outputs through the engine at a readable pace, and shows
text, calls, repairs and the format that was detected. When the output is no
terminal, it is plain and there are no pauses.

Arguments:
  dir         a folder of .txt files to show instead of the built-in ones

Options:
  --fast      no pauses
  -h, --help  show this
`;
