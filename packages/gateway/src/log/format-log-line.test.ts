import { expect, test } from 'vitest';
import { formatLogLine } from './format-log-line.ts';

test('a line has time, level, message and fields', () => {
  const line = JSON.stringify({
    level: 'info',
    time: '2026-01-01T12:34:56.789Z',
    requestId: 'req_1',
    status: 200,
    why: 'it is so',
    list: ['a'],
    msg: 'request answered',
  });

  expect(formatLogLine(line)).toBe(
    '12:34:56.789 info  request answered requestId=req_1 status=200 why="it is so" list=["a"]',
  );
});

test('nothing in a line can pass for another line or move the cursor', () => {
  const line = JSON.stringify({
    level: 'warn\u001b]52;c;eA==\u0007',
    time: '2026-01-01T\u001b[2J\n01:02',
    'a\nb': '\u001b[2J\u009b1A',
    msg: 'x\n12:00 error fake',
  });

  expect(formatLogLine(line)).not.toMatch(/[\0-\x1f\x7f-\x9f]/);
});
