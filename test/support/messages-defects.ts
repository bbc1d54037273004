import { event, messagesBodyOf, messagesEvents, messagesStreamOf } from './messages-stream-of.ts';
import type { MessagesBlock, MessagesEvent } from './messages-stream-of.ts';
import type { ExpectedCall, NativeDefect } from './native-defects.ts';

const READ: ExpectedCall = { name: 'read_file', arguments: { path: 'notes.md', lines: 20 } };
const OTHER: ExpectedCall = { name: 'read_file', arguments: { path: 'todo.md' } };
const use = (id: string, { name, arguments: input }: ExpectedCall): MessagesBlock => ({
  type: 'tool_use',
  id,
  name,
  input,
});
const BLOCKS = [use('toolu_a', READ)];
const RIGHT = messagesEvents(BLOCKS, { stopReason: 'tool_use', cut: 9 });

/** What is changed in a stream that tells `READ` as it should. */
type Change = (events: readonly MessagesEvent[]) => readonly MessagesEvent[];

const without =
  (unwanted: string): Change =>
  (events) =>
    events.filter(([name]) => name !== unwanted);

const withFields =
  (wanted: string, fields: object): Change =>
  (events) =>
    events.map(([name, data]) => [name, name === wanted ? { ...data, ...fields } : data]);

/** The stream ends before the first event of this name. */
const upTo =
  (name: string): Change =>
  (events) =>
    events.slice(
      0,
      events.findIndex(([each]) => each === name),
    );

const block = (content_block: object): Change =>
  withFields('content_block_start', { content_block });
const opened = { type: 'tool_use', id: 'toolu_a', name: 'read_file', input: {} };

function defect(name: string, change: Change, given: Partial<NativeDefect> = {}): NativeDefect {
  const { ends = 'tool-calls' } = given;
  return {
    name,
    stream: messagesStreamOf(change(RIGHT)),
    body: undefined,
    calls: ends === 'tool-calls' ? [READ] : [],
    ends,
    ...given,
  };
}

const whole = (blocks: readonly object[], stopReason = 'tool_use'): string =>
  messagesBodyOf(blocks as readonly MessagesBlock[], stopReason);

const two = messagesEvents([use('toolu_a', READ), use('toolu_b', OTHER)], {
  stopReason: 'tool_use',
});

/** Every defect of a server that speaks Anthropic's protocol itself, by name; the first is none. */
export const messagesDefects: readonly NativeDefect[] = [
  defect('none', (events) => events, { body: whole(BLOCKS) }),
  defect('no-event-names', (events) => events, { stream: messagesStreamOf(RIGHT, false) }),
  defect(
    'no-usage-at-the-start',
    withFields('message_start', {
      message: { id: 'msg_a', type: 'message', role: 'assistant', model: 'm', content: [] },
    }),
  ),
  defect('no-usage-at-the-end', withFields('message_delta', { usage: undefined })),
  defect('no-block-stop', without('content_block_stop')),
  defect('no-message-stop', without('message_stop')),
  defect('index-from-1', (events) =>
    events.map(([name, data]) => [name, 'index' in data ? { ...data, index: 1 } : data]),
  ),
  defect(
    'two-blocks-on-index-0',
    () => two.map(([n, d]) => [n, 'index' in d ? { ...d, index: 0 } : d]),
    {
      calls: [READ, OTHER],
    },
  ),
  defect('blocks-interleaved', () => interleave(two), { calls: [READ, OTHER] }),
  defect('whole-input-in-the-block', (events) =>
    block({ ...opened, input: READ.arguments })(without('content_block_delta')(events)),
  ),
  defect('input-as-empty-text', (events) => block({ ...opened, input: '' })(events)),
  defect('no-id', block({ ...opened, id: undefined }), {
    body: whole([{ ...BLOCKS[0], id: undefined }]),
  }),
  defect('name-in-the-wrong-case', block({ ...opened, name: 'READ_FILE' }), {
    body: whole([{ ...BLOCKS[0], name: 'READ_FILE' }]),
  }),
  defect(
    'stop-reason-end-turn',
    withFields('message_delta', { delta: { stop_reason: 'end_turn' } }),
    {
      body: whole(BLOCKS, 'end_turn'),
    },
  ),
  defect('stop-reason-null', withFields('message_delta', { delta: { stop_reason: null } })),
  defect('input-as-text', (events) => events, {
    body: whole([{ ...BLOCKS[0], input: JSON.stringify(READ.arguments) }]),
  }),
  defect('thinking-without-signature', () =>
    messagesEvents([{ type: 'thinking', thinking: 'The notes.' }, ...BLOCKS], {
      stopReason: 'tool_use',
    }),
  ),
  defect('pings', (events) => events.flatMap((each) => [event('ping', {}), each])),
  defect('truncated-by-max-tokens', () => truncated('max_tokens'), { ends: 'length' }),
  defect(
    'error-in-the-stream',
    (events) => [
      ...upTo('content_block_stop')(events),
      event('error', { error: { type: 'overloaded_error', message: 'Overloaded' } }),
    ],
    { ends: 'error' },
  ),
  defect('dead-in-the-call', upTo('content_block_stop'), {
    stream: messagesStreamOf(upTo('content_block_stop')(RIGHT).slice(0, -1)),
    ends: 'error',
  }),
];

/** A call whose input is not all there. */
function truncated(stopReason: string): readonly MessagesEvent[] {
  const events = messagesEvents(BLOCKS, { stopReason, cut: 9 });
  const deltas = events.filter(([name]) => name === 'content_block_delta');
  return events.filter((each) => !deltas.slice(1).includes(each));
}

/** The second block begins before the first has ended. */
function interleave(events: readonly MessagesEvent[]): readonly MessagesEvent[] {
  const order = ['content_block_start', 'content_block_delta', 'content_block_stop'];
  const ofBlocks = order.flatMap((wanted) => events.filter(([name]) => name === wanted));
  const [start, ...rest] = events.filter(([name]) => !order.includes(name));
  return [start!, ...ofBlocks, ...rest];
}
