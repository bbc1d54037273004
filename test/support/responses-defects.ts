import type { ExpectedCall, NativeDefect } from './native-defects.ts';
import {
  callItem,
  event,
  reasoningItem,
  responseOf,
  responsesBodyOf,
  responsesEvents,
  responsesStreamOf,
} from './responses-stream-of.ts';
import type { ResponsesEvent } from './responses-stream-of.ts';

const READ: ExpectedCall = { name: 'read_file', arguments: { path: 'notes.md', lines: 20 } };
const OTHER: ExpectedCall = { name: 'read_file', arguments: { path: 'todo.md' } };
const NOW: ExpectedCall = { name: 'now', arguments: {} };
const ITEM = callItem('call_a', READ);
const ITEMS = [ITEM];
const RIGHT = responsesEvents(ITEMS, { cut: 9 });
const HALF = JSON.stringify(READ.arguments).slice(0, 12);

const ADDED = 'response.output_item.added';
const DELTA = 'response.function_call_arguments.delta';
const ARGUMENTS_DONE = 'response.function_call_arguments.done';
const DONE = 'response.output_item.done';
const COMPLETED = 'response.completed';

/** What is changed in a stream that tells `READ` as it should. */
type Change = (events: readonly ResponsesEvent[]) => readonly ResponsesEvent[];

const without =
  (...unwanted: readonly string[]): Change =>
  (events) =>
    events.filter(([name]) => !unwanted.includes(name));

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

const inOrder =
  (...changes: readonly Change[]): Change =>
  (events) =>
    changes.reduce((changed, change) => change(changed), events);

/** The fields of every item where it begins and where it is done. */
const withItemFields =
  (fields: object): Change =>
  (events) =>
    events.map(([name, data]) => [
      name,
      'item' in data ? { ...data, item: { ...(data.item as object), ...fields } } : data,
    ]);

/** The fields of the item, wherever it is told. */
const withItem = (fields: object): Change =>
  inOrder(
    withItemFields(fields),
    withFields(COMPLETED, { response: responseOf([{ ...ITEM, ...fields }]) }),
  );

interface Given extends Partial<NativeDefect> {
  /** The items of the whole answer. */
  readonly whole?: readonly object[];
}

function defect(name: string, change: Change, { whole, ...given }: Given = {}): NativeDefect {
  const { ends = 'tool-calls' } = given;
  return {
    name,
    stream: responsesStreamOf(change(RIGHT)),
    body: whole && responsesBodyOf(whole),
    calls: ends === 'tool-calls' ? [READ] : [],
    ends,
    ...given,
  };
}

/** Fields that are wrong wherever the item is told; its arguments are told with it, and nowhere else. */
const badItem = (name: string, fields: object, given: Given = {}): NativeDefect =>
  defect(name, inOrder(without(DELTA, ARGUMENTS_DONE), withItem(fields)), {
    whole: [{ ...ITEM, ...fields }],
    ...given,
  });

const two = responsesEvents([ITEM, callItem('call_b', OTHER)], { cut: 9 });
const onIndex =
  (index: number): Change =>
  (events) =>
    events.map(([name, data]) => [
      name,
      'output_index' in data ? { ...data, output_index: index } : data,
    ]);
const NO_STATUS = { ...responseOf(ITEMS), status: undefined };
const OUT_OF_MEMORY = { code: 'server_error', message: 'out of memory' };
const FAILED = { ...responseOf([], 'failed'), error: OUT_OF_MEMORY };
const truncated = { ...ITEM, status: 'incomplete', arguments: HALF };

/** Every defect of a server that speaks Responses itself, by name; the first is none. */
export const responsesDefects: readonly NativeDefect[] = [
  defect('none', (events) => events, { whole: ITEMS }),
  defect('no-event-names', (events) => events, {
    stream: responsesStreamOf(RIGHT, { named: false }),
  }),
  defect('no-sequence-numbers', (events) => events, {
    stream: responsesStreamOf(RIGHT, { numbered: false }),
  }),
  defect('no-created', without('response.created', 'response.in_progress')),
  defect('no-item-added', without(ADDED)),
  defect('no-deltas', without(DELTA)),
  defect('no-arguments-done', without(ARGUMENTS_DONE)),
  defect('arguments-only-in-the-item', without(DELTA, ARGUMENTS_DONE)),
  defect('arguments-in-the-added-item', inOrder(without(DELTA, ARGUMENTS_DONE), withItem(ITEM))),
  defect('no-item-done', without(DONE)),
  defect('item-done-alone', without(ADDED, DELTA, ARGUMENTS_DONE)),
  defect('call-only-in-the-response', without(ADDED, DELTA, ARGUMENTS_DONE, DONE)),
  defect('response-without-output', withFields(COMPLETED, { response: responseOf([]) })),
  defect(
    'no-usage',
    withFields(COMPLETED, { response: { ...responseOf(ITEMS), usage: undefined } }),
  ),
  defect('no-item-id', inOrder(withItem({ id: undefined }), withFields(DELTA, { item_id: '' })), {
    whole: [{ ...ITEM, id: undefined }],
  }),
  defect('no-call-id', withItem({ call_id: undefined }), {
    whole: [{ ...ITEM, call_id: undefined }],
  }),
  defect('empty-call-id', withItem({ call_id: '' }), { whole: [{ ...ITEM, call_id: '' }] }),
  defect('index-from-1', onIndex(1)),
  defect('two-calls-on-index-0', () => onIndex(0)(two), { calls: [READ, OTHER] }),
  defect('two-calls-with-one-id', () => withItemFields({ call_id: 'call_a' })(two), {
    whole: [ITEM, { ...callItem('call_b', OTHER), call_id: 'call_a' }],
    calls: [READ, OTHER],
  }),
  defect('calls-interleaved', () => interleave(two), { calls: [READ, OTHER] }),
  badItem('arguments-as-object', { arguments: READ.arguments }),
  badItem('arguments-empty', { name: 'now', arguments: '' }, { calls: [NOW] }),
  badItem('arguments-missing', { name: 'now', arguments: undefined }, { calls: [NOW] }),
  badItem('arguments-single-quotes', { arguments: "{'path': 'notes.md', 'lines': 20}" }),
  badItem('arguments-of-the-wrong-kind', { arguments: '{"path": "notes.md", "lines": "20"}' }),
  defect(
    'name-in-the-wrong-case',
    inOrder(withItem({ name: 'Read_File' }), withFields(ARGUMENTS_DONE, { name: 'Read_File' })),
    { whole: [{ ...ITEM, name: 'Read_File' }] },
  ),
  defect('no-status', withFields(COMPLETED, { response: NO_STATUS }), {
    body: JSON.stringify(NO_STATUS),
  }),
  defect('status-of-the-item-wrong', withItem({ status: 'in_progress' }), {
    whole: [{ ...ITEM, status: 'in_progress' }],
  }),
  defect('reasoning-before-the-call', () => responsesEvents([reasoningItem('The notes.'), ITEM])),
  defect('comments', (events) => events, {
    stream: responsesStreamOf(RIGHT).replaceAll('event: ', ': wait\n\nevent: '),
  }),
  defect('crlf', (events) => events, {
    stream: responsesStreamOf(RIGHT).replaceAll('\n', '\r\n'),
  }),
  // The call stays text, and nothing runs.
  defect('truncated-arguments', () => truncatedEvents('completed'), {
    whole: [{ ...ITEM, arguments: HALF }],
    ends: 'stop',
  }),
  defect('incomplete', () => truncatedEvents('incomplete'), {
    body: responsesBodyOf([truncated], 'incomplete'),
    ends: 'length',
  }),
  defect(
    'failed',
    (events) => [...upTo(ARGUMENTS_DONE)(events), event('response.failed', { response: FAILED })],
    { ends: 'error', body: JSON.stringify(FAILED) },
  ),
  defect(
    'error-in-the-stream',
    (events) => [
      ...upTo(ARGUMENTS_DONE)(events),
      event('error', { ...OUT_OF_MEMORY, param: null }),
    ],
    { ends: 'error' },
  ),
  defect('dead-in-the-call', (events) => upTo(ARGUMENTS_DONE)(events).slice(0, -1), {
    ends: 'error',
  }),
  // Nothing tells this one from a server that died after the call: the call may have run, the turn is no success.
  defect('no-completed', without(COMPLETED), { ends: 'error', calls: [READ] }),
];

/** A call whose arguments are not all there. */
function truncatedEvents(status: 'completed' | 'incomplete'): readonly ResponsesEvent[] {
  const events = responsesEvents([], { status });
  return [
    ...events.slice(0, -1),
    event(ADDED, { output_index: 0, item: { ...truncated, arguments: '' } }),
    event(DELTA, { item_id: ITEM.id, output_index: 0, delta: HALF }),
    event(`response.${status}`, { response: responseOf([truncated], status) }),
  ];
}

/** The second call begins before the first has ended. */
function interleave(events: readonly ResponsesEvent[]): readonly ResponsesEvent[] {
  const order = [ADDED, DELTA, ARGUMENTS_DONE, DONE];
  const ofItems = order.flatMap((wanted) => events.filter(([name]) => name === wanted));
  const others = events.filter(([name]) => !order.includes(name));
  return [...others.slice(0, -1), ...ofItems, ...others.slice(-1)];
}
