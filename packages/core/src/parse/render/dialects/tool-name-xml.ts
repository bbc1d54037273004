import { ToolRenderError } from '../../../errors.ts';
import { spellingOf } from '../../../internal/tool-names.ts';
import { isJsonObject } from '../../call-keys.ts';
import type { OfferedTools } from '../../offered-tools.ts';
import { jsonText } from '../json-text.ts';
import { plainText } from '../plain-text.ts';
import type { RenderableCall, RenderDialect } from '../render-dialect.ts';
import { checkSpelling } from '../check-spelling.ts';
import { textParameters } from '../text-parameters.ts';
import { signatureOf } from '../tool-list.ts';

const FORMAT = 'tool-name-xml';
const NAME = /^\w[\w.-]{0,99}$/;
/** Tags that mean something else: another dialect's calls, or reasoning. */
const TAKEN: ReadonlySet<string> = new Set([
  ...['think', 'thinking', 'reasoning', 'longcat_think', 'user', 'invoke', 'function', 'tools'],
  ...['tool_call', 'tool_calls', 'function_call', 'function_calls', 'longcat_tool_call'],
]);

/** `<NAME><KEY>…</KEY></NAME>`, of Morph's and Cline's prompts. */
export const toolNameXml: RenderDialect = {
  format: FORMAT,
  writeCalls: (calls, tools) => calls.map((call) => block(call, tools)).join('\n'),
  writeResult: (result) => {
    const text = plainText(result, ['</result>', '</tool_response>']);
    return `<tool_response>\n<tool_name>${result.name}</tool_name>\n<result>\n${text}\n</result>\n</tool_response>`;
  },
  writePrompt: (tools, example) =>
    `# Tools

You have access to these tools, each with the JSON Schema of its parameters:
<tools>
${tools.map((tool) => jsonText(signatureOf(tool), ['</tools>'])).join('\n')}
</tools>

Tool use is formatted using XML-style tags. The tool's name is the tag around the call, and each parameter is enclosed in a tag of its own, such as:

${block(example)}

Strings stand as they are; those of several lines have their lines to themselves; lists and objects are JSON. To use several tools at once, write one block after another. Write nothing after the last one: the results come back in <tool_response> tags. If no tool is needed, answer without any of these tags.`,
};

function block(call: RenderableCall, tools?: OfferedTools): string {
  const { name } = call;
  checkSpelling(FORMAT, name, NAME);
  if (TAKEN.has(name))
    throw new ToolRenderError(`${FORMAT} cannot call ${name}: that tag has another meaning`);
  return `<${name}>\n${body(call, tools)}</${name}>`;
}

/** What cannot be written as text is written as JSON, which the parser reads in place of parameters. */
function body(call: RenderableCall, tools: OfferedTools | undefined): string {
  const { name, arguments: args } = call;
  const names = [name, ...Object.keys(args)];
  const markers = [...names.flatMap((one) => [`<${one}`, `</${one}`, `</ ${one}`]), '<![CDATA['];
  const parameters = areToldApart(call, tools)
    ? textParameters(call, { key: NAME, untyped: 'literal', markers, refuses }, tools)
    : 'two of them are spelt alike';
  if (typeof parameters === 'string') return `${jsonText(args, [`</${name}`])}\n`;
  return parameters
    .map(({ key, text }) => {
      // A text of several lines has its lines to itself; so a line break at its ends is its own.
      const padding = text.includes('\n') ? '\n' : '';
      return `<${key}>${padding}${text}${padding}</${key}>\n`;
    })
    .join('');
}

/** A return in front of the line break behind a text would be taken for part of it. */
function refuses(text: string): boolean {
  return text.endsWith('\r');
}

/** The parser knows parameters by their spelling, without case and separators, and knows no others. */
function areToldApart({ name, arguments: args }: RenderableCall, tools?: OfferedTools): boolean {
  const keys = Object.keys(args);
  const properties = tools?.parametersOf(name)?.['properties'];
  const known = isJsonObject(properties) ? Object.keys(properties) : keys;
  return (
    new Set(known.map(spellingOf)).size === known.length && keys.every((key) => known.includes(key))
  );
}
