/** The same in all of them. */
const OPTIONS_OF_ASKING = `  --url <address>    the gateway (default: http://127.0.0.1:8787)
  --token <text>     what the gateway wants to be shown`;

const ENVIRONMENT = `Environment: HOLDFAST_URL and HOLDFAST_TOKEN hold where the option is not given.`;

export const statusHelp = `Usage: holdfast status [options]

Shows how a gateway is that runs: requests and tool calls of the last quarter of
an hour, and its circuits, those first that let nothing through. On a terminal
it is drawn anew each second, until q or Ctrl-C; elsewhere it is JSON, once.

Options:
${OPTIONS_OF_ASKING}
  --once             print the table once, also where there is no terminal
  --json             print JSON, once
  -h, --help         show this

${ENVIRONMENT}

Exit code: 0, 2 when something was wrong with the options, 5 when no gateway
answers.

Examples:
  holdfast status
  holdfast status | jq '.overview.totals'
`;

export const circuitsHelp = `Usage: holdfast circuits [options] [name]

Lists the circuits of a gateway that runs, or shows one with its history. Of the
last calls a dot is a success, x a failure, - a refusal, and ? says nothing of
the tool.

Options:
${OPTIONS_OF_ASKING}
  --json             print JSON
  -h, --help         show this

${ENVIRONMENT}

Exit code: 0, 2 when there is no such circuit or something was wrong with the
options, 5 when no gateway answers.

Examples:
  holdfast circuits
  holdfast circuits github:search
`;

export const resetHelp = `Usage: holdfast reset [options] <circuit>
       holdfast reset [options] --all
       holdfast reset --reasoning [model]

Closes a circuit of a running gateway, whatever opened it: calls go through
again, and counts start at 0. With --reasoning, forgets which models were
learned to begin their answers in reasoning.

Options:
  --all              every circuit that is not closed, isolated ones too
  --of <part>        whose circuit, where several have one of that name: proxy,
                     mcp or sidecar
  --reasoning        forget that of a model, or of all models
  --note <text>      why, for its history
${OPTIONS_OF_ASKING}
  --json             print the circuit as JSON
  -h, --help         show this

${ENVIRONMENT}

Exit code: 0, 2 when there is no such circuit or something was wrong with the
options, 5 when no gateway answers.

Examples:
  holdfast reset github:search
  holdfast reset payments --note 'the bank is back'
  holdfast reset --all
`;

export const isolateHelp = `Usage: holdfast isolate [options] --reason <text> <circuit>

Opens a circuit of a running gateway: its calls are refused, for a while or
until holdfast reset, also after a reload or a restart. A tool (shop/pay), a
server (server:shop) or a pattern (shop/*) need not have been used before.

Options:
  --reason <text>    why; those read it whose calls are refused
  --for <duration>   for how long, such as 90s, 10m, 2h or 1d (default: until it
                     is reset)
  --of <part>        whose circuit, where several have one of that name: proxy,
                     mcp or sidecar
${OPTIONS_OF_ASKING}
  --json             print the circuit as JSON
  -h, --help         show this

${ENVIRONMENT}

Exit code: 0, 2 when there is no such circuit or something was wrong with the
options, 5 when no gateway answers.

Examples:
  holdfast isolate payments --reason 'maintenance of the bank' --for 10m
  holdfast isolate 'shop/*' --reason 'the shop is moving'
`;

export const logsHelp = `Usage: holdfast logs [options]

Prints the last lines of the log of a gateway that runs, without secrets.

Options:
  -f, --follow       and those to come, until Ctrl-C; a gateway that is started
                     anew is followed on
  --lines <n>        how many, up to 1000 (default: 200)
${OPTIONS_OF_ASKING}
  --json             print one JSON object per line
  -h, --help         show this

${ENVIRONMENT}

Exit code: 0, 2 when something was wrong with the options, 5 when no gateway
answers.
`;

export const tailHelp = `Usage: holdfast tail [options]

Prints the requests and tool calls of a gateway that runs as they happen, and
what its circuits and servers do, until Ctrl-C. A gateway that is started anew
is followed on.

Options:
${OPTIONS_OF_ASKING}
  --json             print one JSON object per line
  -h, --help         show this

${ENVIRONMENT}

Exit code: 0, 2 when something was wrong with the options, 5 when no gateway
answers.

Examples:
  holdfast tail
  holdfast tail --json | jq 'select(.outcome == "failed")'
`;

export const completionHelp = `Usage: holdfast completion <shell>

Prints what makes a shell complete the commands and options of holdfast: bash,
zsh or fish.

Options:
  -h, --help  show this

Examples:
  source <(holdfast completion bash)     in ~/.bashrc
  source <(holdfast completion zsh)      in ~/.zshrc, behind compinit
  holdfast completion fish | source      in ~/.config/fish/config.fish
`;
