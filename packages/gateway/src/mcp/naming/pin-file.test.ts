import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { memoryLogger } from '../../log/memory-logger.case.ts';
import { openPinFile } from './pin-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'holdfast-pins-'));
afterAll(() => rmSync(folder, { recursive: true }));

const pin = (digit: string): string => digit.repeat(64);
const of = (server: string, ...tools: readonly (readonly [string, string])[]) =>
  new Map([[server, new Map(tools)]]);

describe('a file of pins', () => {
  test('is made with the first, adds the others, and is for its owner alone', () => {
    const path = join(folder, 'pins.json');
    const store = openPinFile(path, memoryLogger());
    expect(store.read()).toEqual(new Map());
    store.add(of('b', ['y', pin('1')], ['__proto__', pin('2')]));
    store.add(of('a', ['x', `2:${pin('3')}`]));
    store.add(of('b', ['y', pin('4')]));
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(
      JSON.parse(`{"a":{"x":"2:${pin('3')}"},"b":{"__proto__":"${pin('2')}","y":"${pin('4')}"}}`),
    );
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['pins.json']);
    expect(openPinFile(path, memoryLogger()).read().get('b')?.get('__proto__')).toBe(pin('2'));
  });

  test.each(['', '[]', '{"a": 1}', '{"a": {"x": "no pin"}}', '{"a": {"x": null}}'])(
    'that holds something else is refused, as nothing would be pinned: %j',
    (text) => {
      const path = join(folder, 'wrong.json');
      writeFileSync(path, text);
      expect(() => openPinFile(path, memoryLogger())).toThrow('expected the pins of tools');
    },
  );

  test('that cannot be written is told of once, and costs nobody a list', () => {
    const log = memoryLogger();
    const store = openPinFile(join(folder, 'nowhere', 'pins.json'), log);
    store.add(of('a', ['x', pin('1')]));
    store.add(of('a', ['y', pin('1')]));
    expect(log.entries.map(({ message }) => message)).toEqual(['what tools are could not be kept']);
  });
});
