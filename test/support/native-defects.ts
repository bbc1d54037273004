import type { JsonObject } from '@holdfast/core';
import { chatBody, chatEvents } from './chat-stream-of.ts';

/** Something that servers do wrong when they tell a call themselves, and what a client should see of it. */
export interface NativeDefect {
  readonly name: string;
  /** The answer as a stream of Chat Completions. */
  readonly stream: string;
  /** The same answer whole; undefined where the defect is one of streams. */
  readonly body: string | undefined;
  /** The calls that reach a client, of `SAMPLE_TOOLS`. */
  readonly calls: readonly ExpectedCall[];
  /** How the turn ends for the client. */
  readonly ends: 'tool-calls' | 'stop' | 'length' | 'error';
}

export interface ExpectedCall {
  readonly name: string;
  readonly arguments: JsonObject;
}

const READ: ExpectedCall = { name: 'read_file', arguments: { path: 'notes.md', lines: 20 } };
const OTHER: ExpectedCall = { name: 'read_file', arguments: { path: 'todo.md' } };
const JSON_TEXT = '{"path": "notes.md", "lines": 20}';
const OTHER_TEXT = '{"path": "todo.md"}';
const FRAGMENTS = [JSON_TEXT.slice(0, 9), JSON_TEXT.slice(9)];
const ROLE = { role: 'assistant', content: null };

/** A delta, or a message, with parts of calls. */
const calls = (...parts: readonly object[]): object => ({ tool_calls: parts });
const head = (fields: object = {}, fn: object = {}): object => ({
  index: 0,
  id: 'call_a',
  type: 'function',
  function: { name: 'read_file', arguments: '', ...fn },
  ...fields,
});
const rest = (text: string | undefined, fields: object = {}): object => ({
  index: 0,
  function: { arguments: text },
  ...fields,
});
const without = (part: object, key: string): object =>
  Object.fromEntries(Object.entries(part).filter(([name]) => name !== key));

interface Given {
  readonly deltas: readonly object[];
  /** The calls of the message, when the answer is whole. */
  readonly whole?: readonly object[];
  readonly calls?: readonly ExpectedCall[];
  readonly ends?: NativeDefect['ends'];
  readonly finishReason?: string | null;
  readonly done?: boolean;
}

function defect(name: string, given: Given): NativeDefect {
  const { finishReason = 'tool_calls', done = true, ends = 'tool-calls' } = given;
  const body =
    given.whole && chatBody({ ...ROLE, tool_calls: given.whole }, finishReason ?? undefined);
  return {
    name,
    stream: chatEvents([ROLE, ...given.deltas], { finishReason, done }),
    body,
    calls: given.calls ?? (ends === 'tool-calls' ? [READ] : []),
    ends,
  };
}

const wholePart = head({}, { arguments: JSON_TEXT });
const otherPart = head({ id: 'call_b' }, { arguments: OTHER_TEXT });
const fragments = FRAGMENTS.map((text) => calls(rest(text)));
const wellTold = [calls(head()), ...fragments];

/** Arguments that are wrong in themselves, told in one piece. */
const badArguments = (name: string, value: unknown, given: Partial<Given> = {}): NativeDefect => {
  const part = head({}, { arguments: value });
  return defect(name, { deltas: [calls(part)], whole: [without(part, 'index')], ...given });
};

/** Every defect of a server's own calls, by name; the first is none. */
export const nativeDefects: readonly NativeDefect[] = [
  defect('none', { deltas: wellTold, whole: [without(wholePart, 'index')] }),
  defect('whole-call-in-one-chunk', { deltas: [calls(wholePart)] }),
  withStream(
    defect('finish-reason-with-the-call', { deltas: [] }),
    withFinish(chatEvents([ROLE, calls(wholePart)], { finishReason: null })),
  ),
  defect('finish-reason-stop', {
    deltas: wellTold,
    whole: [without(wholePart, 'index')],
    finishReason: 'stop',
  }),
  defect('no-finish-reason', {
    deltas: wellTold,
    whole: [without(wholePart, 'index')],
    finishReason: null,
  }),
  defect('no-type', {
    deltas: [calls(without(head(), 'type')), ...fragments],
    whole: [without(wholePart, 'type')],
  }),
  defect('no-index', {
    deltas: [
      calls(without(head(), 'index')),
      ...FRAGMENTS.map((t) => calls(without(rest(t), 'index'))),
    ],
  }),
  defect('no-index-two-calls', {
    deltas: [calls(without(wholePart, 'index')), calls(without(otherPart, 'index'))],
    calls: [READ, OTHER],
  }),
  defect('index-from-1', {
    deltas: [calls(head({ index: 1 })), ...FRAGMENTS.map((t) => calls(rest(t, { index: 1 })))],
  }),
  defect('index-as-text', {
    deltas: [calls(head({ index: '0' })), ...FRAGMENTS.map((t) => calls(rest(t, { index: '0' })))],
  }),
  defect('two-calls-on-index-0', {
    deltas: [calls(wholePart), calls(otherPart)],
    whole: [wholePart, otherPart],
    calls: [READ, OTHER],
  }),
  defect('two-calls-on-index-0-in-fragments', {
    deltas: [...wellTold, calls(head({ id: 'call_b' })), calls(rest(OTHER_TEXT))],
    calls: [READ, OTHER],
  }),
  defect('two-calls-with-one-id', {
    deltas: [calls(wholePart), calls({ ...otherPart, index: 1, id: 'call_a' })],
    whole: [without(wholePart, 'index'), { ...without(otherPart, 'index'), id: 'call_a' }],
    calls: [READ, OTHER],
  }),
  defect('no-id', {
    deltas: [calls(without(head(), 'id')), ...fragments],
    whole: [without(wholePart, 'id')],
  }),
  defect('empty-id', {
    deltas: [calls(head({ id: '' })), ...fragments],
    whole: [{ ...wholePart, id: '' }],
  }),
  defect('id-and-name-repeated', {
    deltas: [calls(head()), ...FRAGMENTS.map((text) => calls(head({}, { arguments: text })))],
  }),
  defect('id-and-name-empty-later', {
    deltas: [
      calls(head()),
      ...FRAGMENTS.map((text) => calls(head({ id: '' }, { name: '', arguments: text }))),
    ],
  }),
  defect('id-and-name-null-later', {
    deltas: [
      calls(head()),
      ...FRAGMENTS.map((text) => calls(head({ id: null }, { name: null, arguments: text }))),
    ],
  }),
  badArguments('arguments-as-object', READ.arguments),
  badArguments('arguments-empty', '', {
    deltas: [calls(head({}, { name: 'now' }))],
    whole: [head({}, { name: 'now' })],
    calls: [{ name: 'now', arguments: {} }],
  }),
  badArguments('arguments-missing', undefined, {
    deltas: [calls(head({}, { name: 'now', arguments: undefined }))],
    whole: [head({}, { name: 'now', arguments: undefined })],
    calls: [{ name: 'now', arguments: {} }],
  }),
  badArguments('arguments-null', null, {
    deltas: [calls(head({}, { name: 'now', arguments: null }))],
    whole: [head({}, { name: 'now', arguments: null })],
    calls: [{ name: 'now', arguments: {} }],
  }),
  badArguments('arguments-single-quotes', "{'path': 'notes.md', 'lines': 20}"),
  badArguments('arguments-trailing-comma', '{"path": "notes.md", "lines": 20,}'),
  badArguments('arguments-double-encoded', JSON.stringify(JSON_TEXT)),
  badArguments('arguments-of-the-wrong-kind', '{"path": "notes.md", "lines": "20"}'),
  defect('name-in-the-wrong-case', {
    deltas: [calls(head({}, { name: 'Read_File' })), ...fragments],
    whole: [head({}, { name: 'Read_File', arguments: JSON_TEXT })],
  }),
  defect('truncated-by-length', {
    deltas: [calls(head()), calls(rest(FRAGMENTS[0]))],
    whole: [head({}, { arguments: FRAGMENTS[0] })],
    finishReason: 'length',
    ends: 'length',
  }),
  defect('empty-tool-calls', {
    deltas: [{ content: 'Hello', tool_calls: [] }, { content: ' there' }],
    whole: [],
    finishReason: 'stop',
    ends: 'stop',
  }),
  defect('null-tool-calls', {
    deltas: [{ content: 'Hello', tool_calls: null }, { content: ' there' }],
    finishReason: 'stop',
    ends: 'stop',
  }),
  defect('no-done', { deltas: wellTold, done: false }),
  withStream(defect('comments', { deltas: wellTold }), (stream) =>
    stream.replaceAll('data: ', ': OPENROUTER PROCESSING\n\ndata: '),
  ),
  withStream(defect('crlf', { deltas: wellTold }), (stream) => stream.replaceAll('\n', '\r\n')),
  defect('reasoning-content', { deltas: [{ reasoning_content: 'The notes.' }, ...wellTold] }),
  withStream(defect('error-in-the-stream', { deltas: [], ends: 'error' }), () =>
    chatEvents([ROLE, calls(head()), calls(rest(FRAGMENTS[0]))], {
      finishReason: null,
      done: false,
      usage: false,
    }).concat('data: {"error": {"message": "out of memory", "type": "server_error"}}\n\n'),
  ),
  withStream(defect('dead-in-the-call', { deltas: [], ends: 'error' }), () =>
    chatEvents([ROLE, calls(head()), calls(rest(FRAGMENTS[0]))], {
      finishReason: null,
      done: false,
      usage: false,
    }),
  ),
];

/** The defect with this name. */
export function nativeDefect(name: string): NativeDefect {
  const found = nativeDefects.find((each) => each.name === name);
  if (found === undefined) throw new Error(`no defect "${name}"`);
  return found;
}

function withStream(
  given: NativeDefect,
  change: string | ((stream: string) => string),
): NativeDefect {
  return { ...given, stream: typeof change === 'string' ? change : change(given.stream) };
}

/** The finish reason stands in the chunk that has the call. */
function withFinish(stream: string): string {
  const at = stream.indexOf('"tool_calls"');
  const from = stream.indexOf('"finish_reason":null', at);
  return `${stream.slice(0, from)}"finish_reason":"tool_calls"${stream.slice(from + '"finish_reason":null'.length)}`;
}
