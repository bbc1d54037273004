import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { replacePrivateFile, writeText } from '../../agents/hook/private-file.ts';
import { codeOf } from '../../agents/hook/code-of.ts';
import type { Logger } from '../../log/logger.ts';
import { isObject } from '../../proxy/json/json-fields.ts';
import { PIN_PATTERN } from './tool-pin.ts';
import type { Pins, PinStore } from './tool-pins.ts';

/**
 * Pins in a file: `{ "server": { "tool": "2:sha256" } }`. A line that is removed is pinned again, as with the keys of
 * hosts. Several gateways may share one; of what two of them write at the same moment, one may have to be pinned again.
 *
 * @throws where there is a file that holds no pins: to go on without them would trust whatever comes
 */
export function openPinFile(path: string, log: Logger): PinStore {
  readPins(path);
  let hasFailed = false;
  return {
    read: () => readPins(path),
    add: (pins) => {
      try {
        write(path, pins);
        hasFailed = false;
      } catch (error) {
        // Said once: every list would say it again.
        if (!hasFailed) log.warn({ path, error }, 'what tools are could not be kept');
        hasFailed = true;
      }
    },
  };
}

function write(path: string, added: Pins): void {
  const all = new Map([...readPins(path)].map(([server, pins]) => [server, new Map(pins)]));
  for (const [server, pins] of added) {
    all.set(server, new Map([...(all.get(server) ?? []), ...pins]));
  }
  const sorted = [...all].sort(byName).map(([server, pins]) => [server, inOrder(pins)]);
  const text = `${JSON.stringify(Object.fromEntries(sorted), undefined, 2)}\n`;
  replacePrivateFile(path, text, { draft: `${path}.${randomUUID()}.new`, write: writeText });
}

function inOrder(pins: ReadonlyMap<string, string>): object {
  return Object.fromEntries([...pins].sort(byName));
}

function byName([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : 1;
}

function readPins(path: string): Pins {
  const text = readText(path);
  if (text === undefined) return new Map();
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw wrong(path, 'it is no JSON');
  }
  if (!isObject(value)) throw wrong(path, 'it is no object');
  return new Map(
    Object.entries(value).map(([server, pins]) => {
      if (!isObject(pins)) throw wrong(path, `${JSON.stringify(server)} has no tools`);
      return [server, new Map(Object.entries(pins).map(([tool, pin]) => [tool, pinIn(pin, path)]))];
    }),
  );
}

function pinIn(pin: unknown, path: string): string {
  if (typeof pin === 'string' && PIN_PATTERN.test(pin)) return pin;
  throw wrong(path, 'a pin has 64 hexadecimal digits, after 2: unless an earlier version wrote it');
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw wrong(path, error instanceof Error ? error.message : String(error));
  }
}

function wrong(path: string, why: string): Error {
  return new Error(`${path}: expected the pins of tools as they were kept: ${why}`);
}
