import { FormatParser } from '../format-parser.ts';
import { MarkerSet } from '../script/marker-set.ts';
import type { Declined, Script } from '../script/script.ts';
import { scriptFormat } from '../script/script-format.ts';
import type { ScriptInput } from '../script/script-input.ts';
import { readInvokeBlock, readLoneInvokes } from '../xml/invoke-block.ts';
import { readInvoke } from '../xml/invoke-call.ts';
import type { InvokeDialect } from '../xml/invoke-dialect.ts';
import { InvokeTags } from '../xml/invoke-tags.ts';
import { readingByType } from '../xml/parameter-reading.ts';

const SECTION_BEGIN = '<｜tool_calls_begin｜>';
const SECTION_END = '<｜tool_calls_end｜>';
const CALL_BEGIN = '<｜tool_call_begin｜>';
const CALL_END = '<｜tool_call_end｜>';
const HEADERS = new MarkerSet(['function<｜tool_sep｜>']);
const WRAPPER = 'steptml:toolcall';
const INVOKE = '<steptml:invoke';

const dialect: InvokeDialect = {
  tags: new InvokeTags({
    wrapper: [WRAPPER],
    invoke: ['steptml:invoke'],
    parameter: ['steptml:parameter'],
    otherWrapperCloses: [CALL_END, SECTION_END],
  }),
  reading: readingByType,
  trimsValues: true,
};

/** `<｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke …><｜tool_call_end｜>`, again and again. */
function* readSection(input: ScriptInput): Script<Declined | undefined> {
  for (;;) {
    yield* input.skipSpace();
    if (yield* input.take(SECTION_END)) return undefined;
    if (!(yield* input.take(CALL_BEGIN))) {
      input.drafts.at(-1)?.note('missing-end-marker');
      return input.stop('no call follows');
    }
    const outcome = yield* readCall(input);
    if (outcome !== 'call') return outcome;
  }
}

function* readCall(input: ScriptInput): Script<'call' | Declined | undefined> {
  yield* input.skipSpace();
  if ((yield* input.takeAny(HEADERS)) !== undefined) yield* input.skipSpace();
  if (!(yield* input.take(INVOKE))) return input.stop('no call follows');
  const outcome = yield* readInvoke(input, dialect, INVOKE, true);
  if (outcome === 'block-end') return undefined;
  if (outcome !== 'call') return outcome;
  yield* input.skipSpace();
  const draft = input.drafts.at(-1);
  if (draft === undefined) return undefined;
  if (yield* input.take(CALL_END)) input.endCall(draft);
  else draft.note('missing-end-marker');
  return 'call';
}

function* readLoneCall(input: ScriptInput): Script<Declined | undefined> {
  const outcome = yield* readCall(input);
  return outcome === 'call' ? undefined : outcome;
}

/** Step-3: calls in `steptml`, each between tokens of its own. */
export const step3: FormatParser = new FormatParser({
  name: 'step3',
  formats: [
    scriptFormat([SECTION_BEGIN], readSection),
    scriptFormat([CALL_BEGIN], readLoneCall),
    scriptFormat([`<${WRAPPER}>`], (input) => readInvokeBlock(input, dialect)),
    scriptFormat([INVOKE], (input) => readLoneInvokes(input, dialect, INVOKE)),
  ],
  sample:
    '<｜tool_calls_begin｜>\n<｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name="read_file">\n<steptml:parameter name="path">notes.md</steptml:parameter>\n</steptml:invoke><｜tool_call_end｜>\n<｜tool_calls_end｜>',
  models: ['step3', 'step-3'],
});
