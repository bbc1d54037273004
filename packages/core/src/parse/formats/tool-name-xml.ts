import { FormatParser } from '../format-parser.ts';
import type { OfferedTools } from '../offered-tools.ts';
import { scriptFormat } from '../script/script-format.ts';
import { isNameCode, readElementCall } from '../xml/element-call.ts';

/** Whether what stands behind `<`, if it is at hand, cannot be the name of a tool: without tools nothing is. */
function isNoName(text: string, bodyAt: number, tools: OfferedTools | undefined): boolean {
  return tools === undefined || (bodyAt < text.length && !isNameCode(text.charCodeAt(bodyAt)));
}

/** `<read_file><path>notes.md</path></read_file>`: the tool and its parameters are the names of elements. */
export const toolNameXml: FormatParser = new FormatParser({
  name: 'tool-name-xml',
  formats: [scriptFormat([{ text: '<', at: 'line-start' }], readElementCall, isNoName)],
  sample: '<read_file>\n<path>notes.md</path>\n</read_file>',
});
