import { describe, expect, test } from 'vitest';
import { listOf, objectOf, textOf } from '../proxy/json/json-fields.ts';
import { openEvents } from './event-reader.case.ts';
import type { ReadEvent } from './event-reader.case.ts';
import { runningAdmin } from './running-admin.case.ts';

const TEXT =
  'I look. 🙂 <tool_call>{"name": "read_file", "arguments": {"path": "a.ts",}}</tool_call>';

async function parsed(body: object): Promise<readonly ReadEvent[]> {
  const { url } = await runningAdmin();
  const stream = await openEvents(`${url}/api/v1/parse/stream`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const events: ReadEvent[] = [];
  while (events.at(-1)?.type !== 'done') events.push(...(await stream.take(1)));
  await stream.ended;
  return events;
}

describe('a text', () => {
  test('is read character by character, as if a model were writing it', async () => {
    const events = await parsed({ text: TEXT, tools: [{ name: 'read_file' }] });
    const positions = events.flatMap(({ type, data }) =>
      type === 'progress' ? [data['position']] : [],
    );
    // The smiling face is one character, and two code units.
    expect(positions).toHaveLength(TEXT.length - 1);
    expect(positions.at(-1)).toBe(TEXT.length);
    const said = events.flatMap(({ type, data }) =>
      type === 'text-delta' ? [textOf(data['text'])] : [],
    );
    expect(said.join('')).toBe('I look. 🙂 ');
    const call = {
      name: 'read_file',
      arguments: { path: 'a.ts' },
      format: 'qwen',
      repairs: ['trailing-comma'],
    };
    expect(events.find(({ type }) => type === 'call-end')?.data).toMatchObject({ index: 0, call });
    const done = events.at(-1)?.data;
    expect(done).toMatchObject({ calls: [call], issues: [] });
    expect(listOf(done?.['explain']).map((step) => objectOf(step)['decision'])).toContain('call');
  });

  test('is read at once in one piece', async () => {
    const events = await parsed({ text: TEXT, chunk_size: 1_000_000 });
    expect(events.filter(({ type }) => type === 'progress')).toHaveLength(1);
  });

  test('that is no call, or none at all, is read too', async () => {
    const broken = await parsed({ text: '<tool_call>{"name": "x", "argu', chunk_size: 5 });
    expect(broken.find(({ type }) => type === 'issue')?.data).toMatchObject({
      issue: { code: 'incomplete-call' },
    });
    expect((await parsed({ text: '' })).map(({ type }) => type)).toEqual(['done']);
  });

  test('is read at the pace that was asked for', async () => {
    const { url, clock } = await runningAdmin();
    const stream = await openEvents(`${url}/api/v1/parse/stream`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ text: 'abc', delay_ms: 50 }),
    });
    // What may still become a call is told with the last piece.
    expect(await stream.take(1)).toMatchObject([{ type: 'progress', data: { position: 1 } }]);
    await clock.advance(49);
    expect(clock.pendingTimers).toBeGreaterThan(0);
    await clock.advance(1);
    expect(await stream.take(1)).toMatchObject([{ type: 'progress', data: { position: 2 } }]);
    await clock.advance(50);
    const types = (await stream.take(3)).map(({ type }) => type);
    expect(types).toEqual(['progress', 'text-delta', 'done']);
    await stream.ended;
  });

  test.each([
    [{}, 'text'],
    [{ text: 'x'.repeat(100_001) }, 'text'],
    [{ text: 'x', chunk_size: 0 }, 'chunk_size'],
    [{ text: 'x', delay_ms: 51 }, 'delay_ms'],
    [{ text: 'x', tools: [{}] }, 'tools'],
    [{ text: 'x', chunks: 1 }, 'chunks'],
  ])('that does not fit is refused', async (body, word) => {
    const { post } = await runningAdmin();
    const { status, json } = await post('/api/v1/parse/stream', body);
    expect(status).toBe(400);
    expect(textOf(objectOf(json['error'])['message'])).toContain(word);
  });
});
