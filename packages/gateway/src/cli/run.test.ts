import { describe, expect, it } from 'vitest';
import { memoryIo } from './memory-io.case.ts';
import { run } from './run.ts';

const COMMANDS =
  'start, doctor, install, uninstall, proxy, mcp, tools, call, status, circuits, reset, isolate, logs, tail, up, init, schema, parse, formats, classify, completion, play, demo, hook';

async function runCli(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const io = memoryIo();
  const code = await run(args, io);
  return { code, out: io.out(), err: io.err() };
}

describe('holdfast', () => {
  it('shows its help', async () => {
    const { code, out } = await runCli('--help');

    expect(code).toBe(0);
    expect(out).toMatchInlineSnapshot(`
      "Usage: holdfast <command> [options]

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
      "
    `);
  });

  it('shows the help of proxy', async () => {
    expect((await runCli('proxy', '--help')).out).toMatchInlineSnapshot(`
      "Usage: holdfast proxy --upstream <url> [options]

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
      "
    `);
  });

  it('shows the help of mcp', async () => {
    expect((await runCli('mcp', '--help')).out).toMatchInlineSnapshot(`
      "Usage: holdfast mcp [options] -- <command> [arguments]
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
      "
    `);
  });

  it('shows the help of tools and call', async () => {
    const help = [await runCli('tools', '--help'), await runCli('call', '--help')];
    expect(help.map(({ out }) => out).join('\n')).toMatchInlineSnapshot(`
      "Usage: holdfast tools [options] [-- <command> [arguments]]

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

      Usage: holdfast call [options] <server> <tool> [key=value]...
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
      "
    `);
  });

  it('shows the help of what asks a gateway that runs, and of completion', async () => {
    const help = await Promise.all(
      ['status', 'circuits', 'reset', 'isolate', 'logs', 'tail', 'completion'].map((name) =>
        runCli(name, '--help'),
      ),
    );
    expect(help.map(({ out }) => out).join('\n')).toMatchInlineSnapshot(`
      "Usage: holdfast status [options]

      Shows how a gateway is that runs: requests and tool calls of the last quarter of
      an hour, and its circuits, those first that let nothing through. On a terminal
      it is drawn anew each second, until q or Ctrl-C; elsewhere it is JSON, once.

      Options:
        --url <address>    the gateway (default: http://127.0.0.1:8787)
        --token <text>     what the gateway wants to be shown
        --once             print the table once, also where there is no terminal
        --json             print JSON, once
        -h, --help         show this

      Environment: HOLDFAST_URL and HOLDFAST_TOKEN hold where the option is not given.

      Exit code: 0, 2 when something was wrong with the options, 5 when no gateway
      answers.

      Examples:
        holdfast status
        holdfast status | jq '.overview.totals'

      Usage: holdfast circuits [options] [name]

      Lists the circuits of a gateway that runs, or shows one with its history. Of the
      last calls a dot is a success, x a failure, - a refusal, and ? says nothing of
      the tool.

      Options:
        --url <address>    the gateway (default: http://127.0.0.1:8787)
        --token <text>     what the gateway wants to be shown
        --json             print JSON
        -h, --help         show this

      Environment: HOLDFAST_URL and HOLDFAST_TOKEN hold where the option is not given.

      Exit code: 0, 2 when there is no such circuit or something was wrong with the
      options, 5 when no gateway answers.

      Examples:
        holdfast circuits
        holdfast circuits github:search

      Usage: holdfast reset [options] <circuit>
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
        --url <address>    the gateway (default: http://127.0.0.1:8787)
        --token <text>     what the gateway wants to be shown
        --json             print the circuit as JSON
        -h, --help         show this

      Environment: HOLDFAST_URL and HOLDFAST_TOKEN hold where the option is not given.

      Exit code: 0, 2 when there is no such circuit or something was wrong with the
      options, 5 when no gateway answers.

      Examples:
        holdfast reset github:search
        holdfast reset payments --note 'the bank is back'
        holdfast reset --all

      Usage: holdfast isolate [options] --reason <text> <circuit>

      Opens a circuit of a running gateway: its calls are refused, for a while or
      until holdfast reset, also after a reload or a restart. A tool (shop/pay), a
      server (server:shop) or a pattern (shop/*) need not have been used before.

      Options:
        --reason <text>    why; those read it whose calls are refused
        --for <duration>   for how long, such as 90s, 10m, 2h or 1d (default: until it
                           is reset)
        --of <part>        whose circuit, where several have one of that name: proxy,
                           mcp or sidecar
        --url <address>    the gateway (default: http://127.0.0.1:8787)
        --token <text>     what the gateway wants to be shown
        --json             print the circuit as JSON
        -h, --help         show this

      Environment: HOLDFAST_URL and HOLDFAST_TOKEN hold where the option is not given.

      Exit code: 0, 2 when there is no such circuit or something was wrong with the
      options, 5 when no gateway answers.

      Examples:
        holdfast isolate payments --reason 'maintenance of the bank' --for 10m
        holdfast isolate 'shop/*' --reason 'the shop is moving'

      Usage: holdfast logs [options]

      Prints the last lines of the log of a gateway that runs, without secrets.

      Options:
        -f, --follow       and those to come, until Ctrl-C; a gateway that is started
                           anew is followed on
        --lines <n>        how many, up to 1000 (default: 200)
        --url <address>    the gateway (default: http://127.0.0.1:8787)
        --token <text>     what the gateway wants to be shown
        --json             print one JSON object per line
        -h, --help         show this

      Environment: HOLDFAST_URL and HOLDFAST_TOKEN hold where the option is not given.

      Exit code: 0, 2 when something was wrong with the options, 5 when no gateway
      answers.

      Usage: holdfast tail [options]

      Prints the requests and tool calls of a gateway that runs as they happen, and
      what its circuits and servers do, until Ctrl-C. A gateway that is started anew
      is followed on.

      Options:
        --url <address>    the gateway (default: http://127.0.0.1:8787)
        --token <text>     what the gateway wants to be shown
        --json             print one JSON object per line
        -h, --help         show this

      Environment: HOLDFAST_URL and HOLDFAST_TOKEN hold where the option is not given.

      Exit code: 0, 2 when something was wrong with the options, 5 when no gateway
      answers.

      Examples:
        holdfast tail
        holdfast tail --json | jq 'select(.outcome == "failed")'

      Usage: holdfast completion <shell>

      Prints what makes a shell complete the commands and options of holdfast: bash,
      zsh or fish.

      Options:
        -h, --help  show this

      Examples:
        source <(holdfast completion bash)     in ~/.bashrc
        source <(holdfast completion zsh)      in ~/.zshrc, behind compinit
        holdfast completion fish | source      in ~/.config/fish/config.fish
      "
    `);
  });

  it('shows the help of up', async () => {
    expect((await runCli('up', '--help')).out).toMatchInlineSnapshot(`
      "Usage: holdfast up [options]

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
      "
    `);
  });

  it('shows the help of init and schema', async () => {
    const help = [await runCli('init', '--help'), await runCli('schema', '--help')];
    expect(help.map(({ out }) => out).join('\n')).toMatchInlineSnapshot(`
      "Usage: holdfast init [options] [file]

      Writes a configuration with every key and its default in comments.

      Arguments:
        file        where to (default: holdfast.yaml)

      Options:
        --force     overwrite a file that exists
        --json      print the name of the file as JSON
        -h, --help  show this

      Usage: holdfast schema

      Prints the JSON Schema of holdfast.yaml. Editors complete and check the file
      with it: holdfast schema > holdfast.schema.json

      Options:
        --json      the same
        -h, --help  show this
      "
    `);
  });

  it('shows the help of parse', async () => {
    expect((await runCli('parse', '--help')).out).toMatchInlineSnapshot(`
      "Usage: holdfast parse [options] [file]

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
      "
    `);
  });

  it('shows the help of formats', async () => {
    expect((await runCli('formats', '--help')).out).toMatchInlineSnapshot(`
      "Usage: holdfast formats [options]

      Lists the formats in the order they are tried: the name, the models that write
      it, and a sample on one line, cut to the width of the terminal.

      Options:
        --json      print JSON, with whole samples and priorities
        -h, --help  show this
      "
    `);
  });

  it('shows the help of classify', async () => {
    expect((await runCli('classify', '--help')).out).toMatchInlineSnapshot(`
      "Usage: holdfast classify [options] [file]

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
      "
    `);
  });

  it('shows the help of demo', async () => {
    expect((await runCli('demo', '-h')).out).toMatchInlineSnapshot(`
      "Usage: holdfast demo [options]

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
      "
    `);
  });

  it('shows the help of play', async () => {
    expect((await runCli('play', '-h')).out).toMatchInlineSnapshot(`
      "Usage: holdfast play [options] [dir]

      Streams raw model outputs through the engine at a readable pace, and shows
      text, calls, repairs and the format that was detected. When the output is no
      terminal, it is plain and there are no pauses.

      Arguments:
        dir         a folder of .txt files to show instead of the built-in ones

      Options:
        --fast      no pauses
        -h, --help  show this
      "
    `);
  });

  it.each([
    ['--help'],
    ['start', '-h'],
    ['doctor', '-h'],
    ['install', '-h'],
    ['uninstall', '-h'],
    ['hook', '-h'],
    ['proxy', '-h'],
    ['mcp', '-h'],
    ['tools', '-h'],
    ['call', '-h'],
    ['status', '-h'],
    ['circuits', '-h'],
    ['reset', '-h'],
    ['isolate', '-h'],
    ['logs', '-h'],
    ['tail', '-h'],
    ['completion', '-h'],
    ['up', '-h'],
    ['init', '-h'],
    ['schema', '-h'],
    ['parse', '-h'],
    ['formats', '-h'],
    ['classify', '-h'],
    ['play', '-h'],
    ['demo', '-h'],
  ])('fits help into 80 columns: %s %s', async (...args) => {
    const { out } = await runCli(...args);

    expect(out.split('\n').filter((line) => line.length > 80)).toEqual([]);
  });

  it('shows its version', async () => {
    const { code, out } = await runCli('--version');

    expect(code).toBe(0);
    expect(out).toMatch(/^holdfast \d+\.\d+\.\d+\n$/);
  });

  it('shows its version as JSON', async () => {
    const { out } = await runCli('--version', '--json');
    expect(JSON.parse(out)).toEqual({
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/) as string,
    });
  });

  it('shows its help on standard error when it is given nothing', async () => {
    const { code, out, err } = await runCli();

    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain('Usage: holdfast <command>');
  });

  it.each([
    [['prase'], `unknown command "prase"; expected one of ${COMMANDS}; did you mean parse?`],
    [['x'], `unknown command "x"; expected one of ${COMMANDS}`],
    [['--verison'], 'unknown option --verison; did you mean --version?'],
    [['-'], 'expected a command; holdfast --help lists them'],
    [['parse', '--fromat', 'x'], 'unknown option --fromat; did you mean --format?'],
    [['parse', '-x'], 'unknown option -x'],
    [['parse', '--format'], '--format needs a value'],
    [['parse', '--format', '--stream'], '--format needs a value'],
    [['parse', '--stream=yes'], '--stream takes no value, got "yes"'],
    [['formats', 'qwen'], 'expected no arguments, got qwen'],
    [['\x1b[31m'], `unknown command "<U+001B>[31m"; expected one of ${COMMANDS}`],
  ])('refuses %j', async (args, message) => {
    expect(await runCli(...args)).toEqual({ code: 2, out: '', err: `holdfast: ${message}\n` });
  });

  it('names a fault of its own without a stack trace', async () => {
    const broken: AsyncIterable<Uint8Array> = {
      [Symbol.asyncIterator]: () => {
        throw new TypeError('out of order');
      },
    };
    const io = memoryIo({ stdin: broken });

    expect(await run(['parse'], io)).toBe(1);
    expect(io.err()).toBe('holdfast: unexpected failure: out of order\n');
  });
});
