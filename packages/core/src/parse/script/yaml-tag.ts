import { valueFromText } from '../../internal/schema-values.ts';
import type { JsonValue } from '../../types.ts';
import { isWord, skipSpace } from '../json/char-code.ts';
import { readCallsWithArguments } from '../call-shape.ts';
import type { Format, ReadContext } from '../format.ts';
import { parameterValue } from '../parameter-value.ts';
import { readYaml } from '../yaml/read-yaml.ts';
import { MarkerSet } from './marker-set.ts';
import { scriptFormat } from './script-format.ts';
import type { Declined, Script } from './script.ts';
import type { ScriptInput } from './script-input.ts';

const NAME = 'name:';
const NAMES = new MarkerSet([NAME]);
const LINE_END = '\n</';
/** No name of a tag is longer. */
const LONGEST_TAG = 64;

/** A call in YAML between tags, closed by its tag or by one of another name on a line of its own. */
export function yamlTag(tag: string): Format {
  const closing = `</${tag}>`;
  const ends = new MarkerSet([closing, LINE_END, `<${tag}>`]);

  function* readTag(input: ScriptInput): Script<Declined | undefined> {
    yield* input.skipSpace();
    if (!(yield* input.startsWith(NAME))) return input.decline('no YAML follows');
    input.resemblesCall = true;
    const { text, marker } = yield* input.until(ends);
    if (marker === undefined) return input.cutShort();
    const value = toValue(input.context, text);
    const calls = readCallsWithArguments(value ?? null, input.context.maxDepth);
    if (typeof calls === 'string') return input.decline(value === undefined ? 'no YAML' : calls);
    const [call] = calls;
    if (call === undefined) return input.decline('it holds no call');
    const draft = input.beginCall(call.name, call.id);
    draft.setAll(call);
    for (const repair of call.repairs) draft.note(repair);
    if (marker === LINE_END) input.skip(1);
    if (!(yield* input.take(closing))) {
      draft.note('missing-end-marker');
      const end = input.offset;
      // What is no tag is not part of the call.
      if (!(yield* takeOtherTag(input))) input.endsAt = end;
    }
    input.endCall(draft);
    return undefined;
  }

  return scriptFormat([`<${tag}>`], readTag, declinesName);
}

/** Whether something else than a name stands at `at`, as far as a look tells. */
function declinesName(text: string, at: number): boolean {
  return NAMES.at(text, skipSpace(text, at), false) === undefined;
}

function* takeOtherTag(input: ScriptInput): Script<boolean> {
  if (!(yield* input.take('</'))) return false;
  yield* input.takeWhile(isTagCharacter, LONGEST_TAG);
  return yield* input.take('>');
}

/** Arguments are typed by the schema of the tool, everything else is the literal it looks like. */
function toValue(context: ReadContext, text: string): JsonValue | undefined {
  let name = '';
  return readYaml(text, context.maxDepth, (scalar, [first, second, ...deeper]) => {
    if (first === 'name' && second === undefined) {
      name = scalar;
      return scalar;
    }
    return second !== undefined && deeper.length === 0
      ? parameterValue(context, name, second, scalar, 'literal')
      : valueFromText(scalar, undefined, undefined, 'literal');
  });
}

function isTagCharacter(code: number): boolean {
  return isWord(code) || code === 0x2d || code === 0x2e || code === 0x3a;
}
