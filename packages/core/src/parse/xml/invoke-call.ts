import { isJsonObject } from '../call-keys.ts';
import type { ReadContext } from '../format.ts';
import type { CallDraft } from '../script/call-draft.ts';
import { MarkerSet } from '../script/marker-set.ts';
import { readArguments } from '../script/read-arguments.ts';
import type { Declined, Script } from '../script/script.ts';
import type { ScriptInput } from '../script/script-input.ts';
import type { InvokeDialect } from './invoke-dialect.ts';
import { InvokeParameter } from './invoke-parameter.ts';
import { readInvokeValue } from './invoke-value.ts';
import { missingArgument } from './missing-argument.ts';
import { readTagRest } from './tag-rest.ts';
import { takeSpace } from './take-space.ts';
import { isToolName } from './tool-name.ts';
import { mayWrapArguments, unwrappedArguments } from './unwrapped-arguments.ts';
import { ValueText } from './value-text.ts';

/**
 * A call was read, and others may follow it; or the tag around them came too. Anything else is what the
 * block has to return.
 */
export type InvokeOutcome = 'call' | 'block-end' | Declined | undefined;

const CDATA = '<![CDATA[';
const CDATA_END = ']]>';
const CDATA_MARKERS = new MarkerSet([CDATA, CDATA_END]);

/** Reads one call from behind `<invoke`, spelled as in `open`. `isWrapped` says that a tag around it is open. */
export function* readInvoke(
  input: ScriptInput,
  dialect: InvokeDialect,
  open: string,
  isWrapped: boolean,
): Script<InvokeOutcome> {
  const tag = yield* readTagRest(input);
  if (tag === undefined) {
    if (yield* input.isAtEnd()) return input.cutShort();
    return input.stop('the tag has no end');
  }
  const written = tag.attributes.get('name')?.trim() ?? '';
  const name = dialect.toolName?.(written, input.context) ?? written;
  if (!isToolName(input.context, name)) return input.stop('it names no tool');
  const draft = input.beginCall(name);
  if (tag.isEmpty) {
    input.endCall(draft);
    return 'call';
  }
  yield* input.skipSpace();
  if (yield* input.startsWith('{')) {
    const problem = yield* readArguments(input, draft, {
      marker: dialect.tags.invokeCloseFor(open),
      next: open,
      markers: dialect.tags.invokeCloses,
    });
    return draft.isClosed ? 'call' : problem;
  }
  return yield* readParameters(input, dialect, draft, isWrapped);
}

function* readParameters(
  input: ScriptInput,
  dialect: InvokeDialect,
  draft: CallDraft,
  isWrapped: boolean,
): Script<InvokeOutcome> {
  const { tags } = dialect;
  /** The one parameter so far, if it may be an object around all of them. */
  let wrapper: InvokeParameter | undefined;
  let count = 0;
  for (;;) {
    yield* input.skipSpace();
    const isClosed = (yield* input.takeAny(tags.invokeCloses)) !== undefined;
    if (isClosed || (yield* input.peekAny(tags.afterInvoke)) !== undefined) {
      if (!isClosed) draft.note('missing-end-marker');
      return finish(input, dialect, draft, wrapper, 'call');
    }
    const isParameter = (yield* input.takeAny(tags.parameterOpens)) !== undefined;
    wrapper?.finish();
    wrapper = undefined;
    if (yield* input.isAtEnd()) return input.cutShort();
    if (!isParameter) return input.stop('what follows is no parameter');
    const tag = yield* readTagRest(input);
    const key = tag?.attributes.get('name')?.trim() ?? '';
    if (tag === undefined && (yield* input.isAtEnd())) return input.cutShort();
    if (tag === undefined || key === '') return input.stop('a parameter has no name');
    if (draft.has(key)) {
      if (dialect.isStrict === true) return input.stop(`${key} is there twice`);
      draft.markLossy();
    }
    const reading = dialect.reading(input.context, draft.name, key, tag.attributes);
    const mayWrap = count++ === 0 && mayWrapArguments(input.context, draft.name, key);
    const parameter = new InvokeParameter(draft, key, reading, mayWrap);
    const add = (piece: string): void => parameter.add(dialect.decode?.(piece) ?? piece);
    let value = new ValueText(dialect.trimsValues === true, add);
    if (dialect.readsCdata === true && !tag.isEmpty) {
      const section = yield* readSection(input, value, draft, add);
      if (section === 'cut') return input.cutShort();
      // White space around the section is layout.
      if (section === 'whole') value = new ValueText(true, add);
    }
    const end = tag.isEmpty
      ? 'parameter-close'
      : yield* readInvokeValue(input, tags, value, isWrapped, (other) =>
          mayFollow(input.context, draft, key, other),
        );
    if (end === 'cut') return input.cutShort();
    if (value.isLossy) {
      draft.note('surrounding-text');
      draft.markLossy();
    }
    if (end !== 'parameter-close') draft.note('missing-end-marker');
    if (mayWrap) wrapper = parameter;
    else parameter.finish();
    if (input.endsAt !== undefined) return finish(input, dialect, draft, wrapper, 'block-end');
    if (end === 'invoke-close') return finish(input, dialect, draft, wrapper, 'call');
    if (end === 'wrapper-close') return finish(input, dialect, draft, wrapper, 'block-end');
  }
}

/** Reads `<![CDATA[…]]>`, if that is how the value is written, and how far the text came. */
function* readSection(
  input: ScriptInput,
  value: ValueText,
  draft: CallDraft,
  add: (piece: string) => void,
): Script<'none' | 'whole' | 'cut'> {
  const space = yield* takeSpace(input);
  if (!(yield* input.take(CDATA))) {
    value.add(space);
    return 'none';
  }
  for (;;) {
    const { marker } = yield* input.until(CDATA_MARKERS, add);
    if (marker === undefined) return 'cut';
    input.skip(marker.length);
    if (marker === CDATA_END) return 'whole';
    // A section in a section: the first may have lost its end.
    draft.markLossy();
    add(marker);
  }
}

/** Whether `other` may be the parameter behind `key`: one of the tool that is not there yet. */
function mayFollow(context: ReadContext, draft: CallDraft, key: string, other: string): boolean {
  const properties = context.tools?.parametersOf(draft.name)?.['properties'];
  if (!isJsonObject(properties)) return other !== '';
  return Object.hasOwn(properties, other) && other !== key && !draft.has(other);
}

function finish(
  input: ScriptInput,
  dialect: InvokeDialect,
  draft: CallDraft,
  wrapper: InvokeParameter | undefined,
  outcome: 'call' | 'block-end',
): InvokeOutcome {
  const { context } = input;
  const inner = wrapper && unwrappedArguments(context, draft.name, wrapper.value());
  if (inner === undefined) wrapper?.finish();
  else {
    draft.note('wrapped-value');
    for (const [key, value] of Object.entries(inner)) draft.set(key, value);
  }
  if (dialect.isStrict === true) {
    const missing = missingArgument(context, draft);
    if (missing !== undefined) return input.stop(`${missing} is missing`);
  }
  input.endCall(draft);
  return outcome;
}
