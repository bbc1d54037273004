import { describe, expect, test } from 'vitest';
import { MessageMeter } from './message-meter.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('the length of a message', () => {
  test('of a body is that of all of it', () => {
    const meter = new MessageMeter('whole');
    expect([meter.add(bytes('{"a":')), meter.add(bytes('1}\n\n'))]).toEqual([5, 9]);
  });

  test.each(['\n', '\r\n'])('of an event begins anew after an empty line, ended by %j', (end) => {
    const text = `data: 1${end}data: 22${end}${end}: ping${end}${end}data: 3${end}${end}`;
    const whole = new MessageMeter('events').add(bytes(text));
    expect(whole).toBe(`data: 1${end}data: 22${end}${end}`.length - 1);
    for (let cut = 1; cut <= 5; cut++) {
      const meter = new MessageMeter('events');
      let longest = 0;
      for (let at = 0; at < text.length; at += cut) {
        longest = Math.max(longest, meter.add(bytes(text.slice(at, at + cut))));
      }
      expect(longest, `cut into ${cut}`).toBe(whole);
    }
  });
});
