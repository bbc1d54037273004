import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { root } from './support/repository.ts';

const script = join(root, 'bench/accuracy/recorded.mjs');
const toolCall = (name: string, args: string): string =>
  `<tool_call>{"name": "${name}", "arguments": ${args}}</tool_call>`;
const weather = [{ name: 'weather', arguments: { city: 'Oslo' } }];
const accepted = [{ weather: { city: ['oslo'], unit: ['C', ''] } }];

let folder = '';

/** A folder of recorded output with these files. */
function write(files: Readonly<Record<string, readonly object[]>>): string {
  const place = mkdtempSync(join(folder, 'data-'));
  for (const [name, rows] of Object.entries(files)) {
    mkdirSync(dirname(join(place, name)), { recursive: true });
    writeFileSync(join(place, name), rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  }
  return place;
}

const measured = (place: string): string =>
  execFileSync(process.execPath, [script, place], { encoding: 'utf8' });

describe('the counts of recorded output', () => {
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'holdfast-recorded-'));
  });
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  test('compare calls with the decoder and the answer set', () => {
    const own = { model: 'm', tools: 't', accepted };
    const place = write({
      'tools.jsonl': [{ key: 't', tools: [{ name: 'weather', parameters: { type: 'object' } }] }],
      'calls/one.jsonl': [
        {
          ...own,
          id: 1,
          raw: toolCall('weather', '{"city": "Oslo"}'),
          official: weather,
          verdict: 'pass',
        },
        {
          ...own,
          id: 2,
          raw: toolCall('weather', '{"city": "Bergen"}'),
          official: weather,
          verdict: 'pass',
        },
        {
          ...own,
          id: 3,
          raw: toolCall('weather', '{"city": "O S L O"}'),
          official: [],
          verdict: 'fail',
        },
        { ...own, id: 4, raw: 'It is cold.', official: [], verdict: 'fail' },
      ],
    });

    expect(measured(place)).toContain(
      '| one | 4 | 50.0 % of 2 | 50.0 % of 4 | 50.0 % of 4 | 1 | 1 | 1 of 2 | 0 | 0 | 0 |',
    );
  });

  test('compare repaired JSON with what was meant', () => {
    const place = write({
      'json/two.jsonl': [
        { raw: "{'a': 1}", expected: { a: 1 } },
        { raw: "{'b': [1, 2,]}", expected: { b: [1, 2] } },
        { raw: "{'c': 3}", expected: { c: 4 } },
        { raw: '{"d": 1', expected: { d: 2 } },
      ],
    });

    expect(measured(place)).toContain('| two | 50.0 % of 4 | 25.0 % of 4 |');
  });

  test('compare results with the flag of the harness, and count loops by session', () => {
    const step = { session: 's', tool: 'send_note', arguments: { to: 'Kim' }, exit_code: null };
    const failed = { ...step, result: 'Error: note was not sent', is_error: true };
    const place = write({
      'steps/three.jsonl': [
        ...[failed, failed, failed].map((row) => ({ ...row, stuck: true })),
        { ...step, session: 'other', result: 'No.', is_error: true },
        { ...step, session: 'other', arguments: {}, result: 'Error: none', is_error: false },
        { ...step, session: 'other', result: 'sent', is_error: null },
      ],
    });
    const output = measured(place);

    expect(output).toContain('| three | 0.750 | 0.750 | 3 | 1 | 1 | 0 |');
    expect(output).toContain('| three | 2 | 1 | 1 | 0 of 1 | 0 |');
  });

  test.each([
    [
      'a folder without the layout',
      {},
      'not recorded output; recorded output is a folder with calls/',
    ],
    [
      'a row of another kind',
      { 'calls/a.jsonl': [{ text: 'x' }] },
      'a.jsonl:1: the row has no model, raw',
    ],
  ])('refuse %s', (_what, files, message) => {
    const { status, stderr } = spawnSync(process.execPath, [script, write(files)], {
      encoding: 'utf8',
    });

    expect(status).toBe(2);
    expect(stderr).toContain(message);
  });
});
