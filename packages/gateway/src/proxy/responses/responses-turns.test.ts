import type { JsonObject } from '@holdfast/core';
import { createDefaultRegistry } from '@holdfast/core/parse';
import { describe, expect, test } from 'vitest';
import { TurnReader } from '../turn/turn-reader.ts';
import type { UpstreamFrame } from '../turn/upstream-event.ts';
import { checkResponsesStream } from './check-responses-stream.case.ts';
import type { SeenResponse } from './check-responses-stream.case.ts';
import { readResponsesAnswer } from './read-responses-answer.ts';
import { ResponsesStreamReader } from './read-responses-stream.ts';
import { requestTools } from './request-tools.ts';
import { toToolDefinition } from './response-tools.ts';
import { responsesAnswer } from './responses-answer.ts';
import {
  added,
  callEvents,
  completed,
  CREATED,
  ended,
  functionCall,
  IN_PROGRESS,
  message,
  messageEvents,
  reasoning,
  reasoningEvents,
  SEARCH,
  searchEvents,
  sse,
} from './responses-stream.case.ts';
import type { Said } from './responses-stream.case.ts';
import { NO_FRAME, options, TOOLS } from './responses-turn.case.ts';
import { ResponsesWriter } from './responses-writer.ts';

const REGISTRY = createDefaultRegistry();
const CALL = '<tool_call>{"name": "read", "arguments": {"path": "a.ts"}}</tool_call>';
const READ = { type: 'function_call', name: 'read', arguments: '{"path": "a.ts"}' };

function turnReader(): TurnReader {
  let ids = 0;
  return new TurnReader({
    tools: requestTools({ tools: TOOLS }).map(toToolDefinition),
    model: 'm',
    registry: REGISTRY,
    callsInReasoning: 'if-unclosed',
    bareCalls: true,
    eager: false,
    nextId: () => `call_new_${++ids}`,
  });
}

function relayRaw(stream: string | Uint8Array): string {
  const frames = new ResponsesStreamReader();
  const reader = turnReader();
  const writer = new ResponsesWriter(options());
  let out = '';
  const pass = (read: readonly UpstreamFrame[]): void => {
    for (const frame of read) out += writer.write(reader.read(frame.events), frame);
  };
  pass(frames.feed(Buffer.from(stream)));
  pass(frames.end());
  out += writer.write(reader.end(), NO_FRAME);
  return out + writer.end();
}

function relay(...events: readonly Said[]): SeenResponse {
  return checkResponsesStream(relayRaw(sse(CREATED, IN_PROGRESS, ...events)));
}

function relayWhole(output: readonly JsonObject[]): JsonObject {
  const reader = turnReader();
  const frame = readResponsesAnswer(JSON.stringify(completed(output)['response']));
  const events = [...reader.read(frame.events), ...reader.end()];
  return JSON.parse(responsesAnswer(events, frame, options())) as JsonObject;
}

/** A text as upstreams send it, a few characters at a time. */
function cut(text: string): string[] {
  return text.match(/.{1,4}/gs) ?? [];
}

describe('a turn in front of a Responses upstream', () => {
  test('passes as it came where it is prose', () => {
    const parts = cut('a perfectly normal sentence, and another one.');
    const stream = sse(
      CREATED,
      IN_PROGRESS,
      ...reasoningEvents(0, 'rs_1', 'thinking'),
      ...messageEvents(1, 'msg_1', ...parts),
      completed([reasoning('rs_1', 'thinking'), message('msg_1', ...parts)]),
    );
    expect(relayRaw(stream)).toBe(stream);
  });

  test('has the call that its text holds, and the text around it', () => {
    const parts = cut(`I look. ${CALL} Then on.`);
    const output = [reasoning('rs_1', 'hm'), message('msg_1', ...parts), SEARCH];
    const seen = relay(
      ...reasoningEvents(0, 'rs_1', 'hm'),
      ...messageEvents(1, 'msg_1', ...parts),
      ...searchEvents(2),
      completed(output),
    );
    const right = [
      reasoning('rs_1', 'hm'),
      { type: 'message', content: [{ text: 'I look. ' }] },
      READ,
      { type: 'message', content: [{ text: ' Then on.' }] },
      SEARCH,
    ];
    expect(seen.problems).toEqual([]);
    expect(seen.output).toMatchObject(right);
    expect(relayWhole(output)['output']).toMatchObject(right);
  });

  test('keeps the ids and the fields of calls that are right', () => {
    const item = { ...functionCall('fc_1', 'read', '{"path":"a.ts"}'), async: false };
    const seen = relay(...callEvents(0, item, '{"path"', ':"a.ts"}'), completed([item]));
    expect(seen).toMatchObject({ problems: [], output: [item] });
    expect(relayWhole([item])['output']).toEqual([item]);
  });

  test('mends the calls of the upstream', () => {
    const item = functionCall('fc_1', 'Read', "{'path': 'a.ts'}");
    const seen = relay(...callEvents(0, item, "{'path'", ": 'a.ts'}"), completed([item]));
    expect(seen.problems).toEqual([]);
    const right = { ...READ, arguments: '{"path":"a.ts"}', call_id: 'call_fc_1' };
    expect(seen.output).toMatchObject([{ ...right, id: 'fc_1' }]);
    expect(relayWhole([item])['output']).toMatchObject([right]);
  });

  test('gives back what custom tools and namespaces are called by', () => {
    const patch = { id: 'ctc_up', type: 'custom_tool_call', status: 'completed', name: 'patch' };
    const custom = { ...patch, call_id: 'call_custom', input: 'a "b"\n' };
    const spawn = { ...functionCall('fc_1', 'spawn', '{}'), namespace: 'agents' };
    const asFunction = functionCall('fc_2', 'patch', '{"input":"x"}');
    const flat = functionCall('fc_3', 'agents__spawn', '{}');
    const output = [custom, spawn, asFunction, flat];
    const right = [
      custom,
      spawn,
      { type: 'custom_tool_call', name: 'patch', input: 'x', call_id: 'call_fc_2' },
      { type: 'function_call', name: 'spawn', namespace: 'agents', call_id: 'call_fc_3' },
    ];
    const seen = relay(
      added(0, { ...custom, input: '' }),
      ended(0, custom),
      ...output.slice(1).map((item, at) => ended(at + 1, item)),
      completed(output),
    );
    expect(seen).toMatchObject({ problems: [], output: right });
    expect(relayWhole(output)['output']).toMatchObject(right);
  });

  test('runs no call that was cut', () => {
    const item = functionCall('fc_1', 'read', '{"path":"a.');
    const cutShort = { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } };
    const seen = relay(...callEvents(0, item, '{"path":"a.'), completed([item], cutShort));
    expect(seen.problems).toEqual([]);
    expect(seen.names.at(-1)).toBe('response.incomplete');
    expect(seen.output.map(({ type }) => type)).not.toContain('function_call');
  });

  test('runs no call and is no success where it breaks off at any byte before its end', () => {
    const item = functionCall('fc_1', 'read', '{"path":"b.ts"}');
    const parts = cut(`I look. ${CALL}`);
    const events = [CREATED, ...messageEvents(0, 'msg_1', ...parts), ...callEvents(1, item, '{}')];
    const bytes = Buffer.from(sse(...events));
    for (let at = 1; at < bytes.length; at += 23) {
      const seen = checkResponsesStream(relayRaw(bytes.subarray(0, at)));
      expect(seen.problems).toEqual([]);
      expect(seen.names.slice(-2)).toEqual(['error', 'response.failed']);
      expect(seen.output.filter(({ call_id: id }) => id === 'call_fc_1')).toEqual([]);
    }
  });

  test('fails as its upstream does', () => {
    const failed = { type: 'response.failed', response: { error: { code: 'slow_down' } } };
    const seen = relay(...messageEvents(0, 'msg_1', 'Hi'), failed);
    expect(seen).toMatchObject({ problems: [], response: { error: { code: 'slow_down' } } });
  });
});
