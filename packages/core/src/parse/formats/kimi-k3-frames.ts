import type { Format, Opening } from '../format.ts';
import type { Declined, Script } from '../script/script.ts';
import { scriptFormat } from '../script/script-format.ts';
import type { ScriptInput } from '../script/script-input.ts';

const OPEN = '<|open|>';
const CLOSE = '<|close|>';
const SEPARATOR = '<|sep|>';
const FRAMES: ReadonlySet<string> = new Set(['think', 'response', 'message']);
/** What opens a section of calls is read with them. */
const CLOSED: ReadonlySet<string> = new Set([...FRAMES, 'tools']);
const LONGEST_NAME = 12;

/** `<|open|>response<|sep|>` and the like: around text, and around nothing that is left of a call. */
function* readTag(input: ScriptInput, opening: Opening): Script<Declined | undefined> {
  yield* input.skipSpace();
  const name = yield* input.takeWhile(isLowerLetter, LONGEST_NAME);
  if (!(opening.text === CLOSE ? CLOSED : FRAMES).has(name))
    return input.decline('it frames no text');
  yield* input.skipSpace();
  if (!(yield* input.take(SEPARATOR))) return input.decline('its name does not end');
  input.frame = { kind: 'markup' };
  return undefined;
}

function isLowerLetter(code: number): boolean {
  return code >= 0x61 && code <= 0x7a;
}

/** What Kimi K3 puts around its answer and its thoughts. Some servers put spaces between the tokens. */
export const kimiK3Frames: readonly Format[] = [
  {
    ...scriptFormat([OPEN, CLOSE], readTag),
    reasoning: [
      { open: '<|open|>think<|sep|>', close: '<|close|>think<|sep|>' },
      { open: '<|open|> think <|sep|>', close: '<|close|> think <|sep|>' },
    ],
  },
];
