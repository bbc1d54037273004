import { describe, expect, test } from 'vitest';
import { MessageMeter } from './message-meter.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('the length of a message', () => {
  test('of a body is that of all of it', () => {
    const meter = new MessageMeter('whole', 1000);
    expect([meter.add(bytes('{"a":')), meter.add(bytes('1}\n\n'))]).toEqual([5, 9]);
  });

  test.each(['\n', '\r\n'])('of an event begins anew after an empty line, ended by %j', (end) => {
    const text = `data: 1${end}data: 22${end}${end}: ping${end}${end}data: 3${end}${end}`;
    const whole = new MessageMeter('events', 1000).add(bytes(text));
    expect(whole).toBe(`data: 1${end}data: 22${end}${end}`.length - 1);
    for (let cut = 1; cut <= 5; cut++) {
      const meter = new MessageMeter('events', 1000);
      let longest = 0;
      for (let at = 0; at < text.length; at += cut) {
        longest = Math.max(longest, meter.add(bytes(text.slice(at, at + cut))));
      }
      expect(longest, `cut into ${cut}`).toBe(whole);
    }
  });

  test('has its JSON values counted, event by event', () => {
    const list = (count: number): string => `data: [${'0,'.repeat(count - 1)}0]\n\n`;
    const meter = new MessageMeter('events', 1000);
    for (let event = 0; event < 3; event++) meter.add(bytes(list(9000)));
    expect(meter.hasTooManyValues).toBe(false);
    meter.add(bytes(list(11_000)));
    expect(meter.hasTooManyValues).toBe(true);
  });
});
