import { FormatParser } from '../format-parser.ts';
import { scriptFormat } from '../script/script-format.ts';
import type { Declined, Script } from '../script/script.ts';
import type { ScriptInput } from '../script/script-input.ts';
import { museFrames } from './muse-frames.ts';
import { readInvokeBlock } from '../xml/invoke-block.ts';
import type { InvokeDialect } from '../xml/invoke-dialect.ts';
import { InvokeTags } from '../xml/invoke-tags.ts';
import { readingByType } from '../xml/parameter-reading.ts';

const WRAPPER = 'atem:function_calls';

const dialect: InvokeDialect = {
  tags: new InvokeTags({
    wrapper: [WRAPPER],
    invoke: ['atem:invoke'],
    parameter: ['atem:parameter'],
  }),
  reading: readingByType,
  // A token that ends the header of a message sometimes slips into the name.
  toolName: (written) => written.replaceAll('<|message|>', '').trim(),
};

/** Calls that are quoted to the user are not made. */
function* readCalls(input: ScriptInput): Script<Declined | undefined> {
  if (input.context.mode === 'user') return input.decline('it stands in a message to the user');
  return yield* readInvokeBlock(input, dialect);
}

/** ATEM: `<atem:function_calls>` around `<atem:invoke name="f">`, as Muse Glimmer writes it. */
export const museGlimmer: FormatParser = new FormatParser({
  name: 'muse-glimmer',
  formats: [scriptFormat([`<${WRAPPER}>`], readCalls), ...museFrames],
  sample:
    '<atem:function_calls>\n<atem:invoke name="read_file">\n<atem:parameter name="path">notes.md</atem:parameter>\n</atem:invoke>\n</atem:function_calls>',
  models: ['muse-glimmer', 'muse_glimmer', 'glimmer'],
});
