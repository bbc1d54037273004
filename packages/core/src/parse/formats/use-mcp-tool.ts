import { FormatParser } from '../format-parser.ts';
import { readArguments } from '../script/read-arguments.ts';
import type { Declined, Script } from '../script/script.ts';
import { scriptFormat } from '../script/script-format.ts';
import type { ScriptInput } from '../script/script-input.ts';
import { isToolName } from '../xml/tool-name.ts';

const TAG = 'use_mcp_tool';
const END = `</${TAG}>`;
const ARGUMENTS_BEGIN = '<arguments>';
const ARGUMENTS_END = { marker: '</arguments>' };
/** No name is longer; prose is. */
const LONGEST_NAME = 128;
const LESS_THAN = 0x3c;

/** One call, or several: each names its server, its tool and its arguments. */
function* readBlock(input: ScriptInput): Script<Declined | undefined> {
  // Cline offers a tool of that name; then the tag is a call of that tool.
  if (input.context.tools?.resolve(TAG) === TAG) return input.decline('it is the name of a tool');
  for (;;) {
    yield* input.skipSpace();
    const last = input.drafts.at(-1);
    if (last !== undefined && (yield* input.take(END))) {
      input.endCall(last);
      return undefined;
    }
    const server = yield* readPart(input, 'server_name');
    const written = yield* readPart(input, 'tool_name');
    yield* input.skipSpace();
    const isCall = written !== undefined && isToolName(input.context, written);
    const hasArguments = isCall && (yield* input.take(ARGUMENTS_BEGIN));
    if (!hasArguments) {
      input.resemblesCall ||= isCall;
      if (last !== undefined) last.note('missing-end-marker');
      else if (isCall && (yield* input.isAtEnd())) return input.cutShort();
      return input.stop('no call follows');
    }
    const name = toolNamed(input, server ?? '', written);
    const draft = input.beginCall(name);
    if (name !== written) draft.note('tool-name');
    const problem = yield* readArguments(input, draft, ARGUMENTS_END);
    if (problem !== undefined || !draft.isClosed) return problem;
  }
}

/** What an element holds; undefined when it is not there. */
function* readPart(input: ScriptInput, tag: string): Script<string | undefined> {
  yield* input.skipSpace();
  if (!(yield* input.take(`<${tag}>`))) return undefined;
  const text = yield* input.takeWhile((code) => code !== LESS_THAN, LONGEST_NAME);
  return (yield* input.take(`</${tag}>`)) ? text.trim() : undefined;
}

/** The offered tool: hosts name a tool of a server `server__tool` or `mcp__server__tool`, or leave its name. */
function toolNamed({ context: { tools } }: ScriptInput, server: string, written: string): string {
  const name = `${server}__${written}`;
  return (
    (server === '' ? undefined : (tools?.resolve(`mcp__${name}`) ?? tools?.resolve(name))) ??
    written
  );
}

/** `<use_mcp_tool>` around a server, a tool and JSON: MiroThinker, and Cline. */
export const useMcpTool: FormatParser = new FormatParser({
  name: 'use-mcp-tool',
  formats: [scriptFormat([`<${TAG}>`], readBlock)],
  sample:
    '<use_mcp_tool>\n<server_name>files</server_name>\n<tool_name>read_file</tool_name>\n<arguments>\n{"path": "notes.md"}\n</arguments>\n</use_mcp_tool>',
  models: ['mirothinker'],
});
