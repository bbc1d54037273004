import type { JsonObject } from '@holdfast/core';
import { isObject } from '../proxy/json/json-fields.ts';
import type { Arguments } from './command.ts';
import type { Io } from './io.ts';
import { Misuse } from './misuse.ts';

const TIMEOUT_MS = 10_000;

/** Asks a gateway that runs for something of its own API. */
export async function askGateway(
  url: string,
  path: string,
  given: Arguments,
  io: Io,
): Promise<JsonObject> {
  let target;
  try {
    target = new URL(path, url);
  } catch {
    throw new Misuse(
      `--url: expected the address of a gateway, such as http://127.0.0.1:8787, got "${url}"`,
    );
  }
  const token = given.values.get('token') ?? io.env['HOLDFAST_TOKEN'];
  let response;
  try {
    response = await fetch(target, {
      headers: token === undefined || token === '' ? {} : { authorization: `Bearer ${token}` },
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
  } catch (error) {
    const { cause = error } = error instanceof Error ? error : {};
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Misuse(`no gateway answers at ${target.origin}: ${reason}`);
  }
  if (!response.ok) throw new Misuse(`${target.origin} answered ${response.status} to ${path}`);
  const body: unknown = await response.json().catch(() => undefined);
  if (isObject(body)) return body;
  throw new Misuse(`${target.origin} is no Holdfast gateway: ${path} is not a JSON object there`);
}
