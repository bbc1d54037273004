import { FormatParser } from '../format-parser.ts';
import type { OfferedTools } from '../offered-tools.ts';
import { isInlineSpace } from '../json/char-code.ts';
import type { Declined, Script } from '../script/script.ts';
import { scriptFormat } from '../script/script-format.ts';
import type { ScriptInput } from '../script/script-input.ts';
import { isNameCode, readElementCall } from '../xml/element-call.ts';

/** Whether what stands behind `<`, if it is at hand, cannot be the name of a tool: without tools nothing is. */
function isNoName(text: string, bodyAt: number, tools: OfferedTools | undefined): boolean {
  return tools === undefined || (bodyAt < text.length && !isNameCode(text.charCodeAt(bodyAt)));
}

/** After text on its line, a call counts only if it is complete and ends the line or is followed by another one. */
function* readInLine(input: ScriptInput): Script<Declined | undefined> {
  input.isQuiet = true;
  const { evidence, before } = input.context;
  if (evidence === undefined) return input.decline('no tools were offered');
  const problem = yield* readElementCall(input);
  const draft = input.drafts.at(-1);
  if (problem !== undefined || draft?.isClosed !== true) return problem;
  const call = draft.toRawCall();
  const misfit = evidence.misfit(call.name, call.arguments);
  if (misfit !== undefined) return input.decline(misfit);
  if (/["'`]$/.test(before)) return input.decline('it is quoted');
  const end = input.offset;
  yield* input.takeWhile(isInlineSpace, LONGEST_GAP);
  const next = yield* input.peek(1);
  if (next !== '' && !'\r\n<'.includes(next)) return input.decline('text follows on its line');
  input.endsAt = end;
  return undefined;
}

/** Whether the name after `<` is not a tool, as far as it has arrived. */
function isNoTool(text: string, bodyAt: number, tools: OfferedTools | undefined): boolean {
  let at = bodyAt;
  while (at < text.length && isNameCode(text.charCodeAt(at))) at++;
  const name = text.slice(bodyAt, at);
  if (tools === undefined || !tools.names.mayBegin(name)) return true;
  return at < text.length && tools.resolve(name) !== name;
}

const LONGEST_GAP = 64;

/** `<read_file><path>notes.md</path></read_file>`: the tool and its parameters are the names of elements. */
export const toolNameXml: FormatParser = new FormatParser({
  name: 'tool-name-xml',
  formats: [
    scriptFormat([{ text: '<', at: 'line-start' }], readElementCall, isNoName),
    { ...scriptFormat(['<'], readInLine, isNoTool), isBare: true },
  ],
  sample: '<read_file>\n<path>notes.md</path>\n</read_file>',
});
