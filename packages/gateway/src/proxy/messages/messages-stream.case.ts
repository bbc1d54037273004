import type { JsonObject, JsonValue } from '@holdfast/core';
import { objectOf, textOf } from '../json/json-fields.ts';
import type { BlockEvent } from './message-blocks.ts';
import { MessageContent } from './message-content.ts';

/** A Messages stream as a client sees it. */
export interface SeenStream {
  readonly names: readonly string[];
  readonly events: readonly JsonObject[];
  /** What breaks the order that Anthropic's clients rely on; empty for a stream that is right. */
  readonly problems: readonly string[];
  readonly content: readonly JsonObject[];
  readonly stopReason: string | undefined;
  readonly error: JsonObject | undefined;
}

/** Reads a stream by the letter: every event has its name, its data on one line, and its place. */
export function seeStream(text: string): SeenStream {
  const names: string[] = [];
  const events: JsonObject[] = [];
  const problems: string[] = [];
  for (const chunk of text.split('\n\n').slice(0, -1)) {
    const lines = /^event: (\w+)\ndata: (.*)$/.exec(chunk);
    if (lines === null) problems.push(`not an event with a name and one line of data: ${chunk}`);
    else {
      names.push(lines[1]!);
      events.push(JSON.parse(lines[2]!) as JsonObject);
    }
  }
  if (text !== '' && !text.endsWith('\n\n')) problems.push('the last event is not closed');
  const content = new MessageContent();
  let stopReason: string | undefined;
  for (const event of events) {
    if (textOf(event['type']).startsWith('content_block')) content.add(event as BlockEvent);
    if (event['type'] === 'message_delta')
      stopReason = textOf(objectOf(event['delta'])['stop_reason']);
  }
  problems.push(...problemsOf(names, events));
  const error = events.find(({ type }) => type === 'error');
  return { names, events, problems, content: content.blocks(), stopReason, error };
}

/** The rules that Anthropic's documentation states and its SDK throws over. */
function problemsOf(names: readonly string[], events: readonly JsonObject[]): string[] {
  const problems: string[] = [];
  const open = new Set<unknown>();
  let next = 0;
  let state: 'before' | 'content' | 'ending' | 'over' = 'before';
  const expect = (isRight: boolean, problem: string): void => {
    if (!isRight) problems.push(problem);
  };
  for (const [at, event] of events.entries()) {
    const { type, index } = event;
    expect(names[at] === type, `event ${names[at] ?? ''} holds ${textOf(type)}`);
    if (type === 'ping') continue;
    expect(state !== 'over', `${textOf(type)} comes after the end`);
    switch (type) {
      case 'message_start': {
        const { usage, content } = objectOf(event['message']);
        expect(state === 'before', 'two starts');
        expect(typeof objectOf(usage)['input_tokens'] === 'number', 'a start without usage');
        expect(Array.isArray(content) && content.length === 0, 'a start with content');
        state = 'content';
        break;
      }
      case 'content_block_start':
        expect(state === 'content', 'a block outside of the message');
        expect(index === next++, `block ${show(index)} instead of ${next - 1}`);
        open.add(index);
        break;
      case 'content_block_delta':
        expect(open.has(index), `a delta for block ${show(index)}, which is not open`);
        break;
      case 'content_block_stop':
        expect(open.delete(index), `the end of block ${show(index)}, which is not open`);
        break;
      case 'message_delta':
        expect(state === 'content' && open.size === 0, 'an end in the middle');
        expect(
          typeof objectOf(event['usage'])['output_tokens'] === 'number',
          'no usage at the end',
        );
        expect(textOf(objectOf(event['delta'])['stop_reason']) !== '', 'no stop reason');
        state = 'ending';
        break;
      case 'message_stop':
        expect(state === 'ending', 'a stop without an end');
        state = 'over';
        break;
      case 'error':
        state = 'over';
        break;
      default:
        break;
    }
  }
  expect(state === 'over', 'the stream does not end');
  return problems;
}

function show(index: JsonValue | undefined): string {
  return index === undefined ? 'without an index' : JSON.stringify(index);
}
