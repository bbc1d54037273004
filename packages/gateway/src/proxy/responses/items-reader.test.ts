import { describe, expect, test } from 'vitest';
import { ItemsReader } from './items-reader.ts';

const message = (text: string) => ({ type: 'message', content: [{ type: 'output_text', text }] });
const call = (path: string) => ({
  type: 'function_call',
  call_id: 'call_a',
  name: 'read_file',
  arguments: JSON.stringify({ path }),
});

describe('items of one output that look alike', () => {
  test('are two messages, though one begins like the other', () => {
    const events = new ItemsReader().readOutput([message('Hello'), message('Hello again')]);
    const texts = events.flatMap((event) => (event.type === 'text' ? [event.text] : []));

    expect(texts).toEqual(['Hello', 'Hello again']);
  });

  test('are two calls, though they have one id', () => {
    const events = new ItemsReader().readOutput([call('a'), call('b')]);
    const slots = events.flatMap((event) => (event.type === 'call-fragment' ? [event.slot] : []));

    expect(new Set(slots)).toEqual(new Set([0, 1]));
  });
});
