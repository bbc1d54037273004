import { isRecord } from '../../advise/conversation/record.ts';
import { Circuits } from '../../guard/circuits.ts';
import type { ToolGuardOptions } from './tool-settings.ts';

type GuardTools = (tools: readonly object[], options: ToolGuardOptions) => readonly object[];

/**
 * Makes a method of a client, such as `runTools`, take its tools through a guard. Circuits are shared by all
 * that runs through the client and through copies of it.
 */
export function guardMethod(
  client: object,
  path: readonly string[],
  guardTools: GuardTools,
  options: ToolGuardOptions,
): void {
  const { clock, random, onEvent } = options;
  const environment = {
    ...(clock !== undefined && { clock }),
    ...(random !== undefined && { random }),
    ...(onEvent !== undefined && { onEvent }),
  };
  const { circuits = new Circuits(environment) } = options;
  patch(client, path, (body) => {
    const tools = isRecord(body) && Array.isArray(body['tools']) ? (body['tools'] as object[]) : [];
    if (tools.length === 0) return body;
    return { ...(body as object), tools: guardTools(tools, { ...options, circuits }) };
  });
}

function patch(client: object, path: readonly string[], change: (body: unknown) => unknown): void {
  const name = path.at(-1) ?? '';
  const owner = path.slice(0, -1).reduce<unknown>(memberOf, client);
  const method = memberOf(owner, name);
  if (typeof owner !== 'object' || owner === null || typeof method !== 'function') return;
  define(
    owner,
    name,
    (body: unknown, ...others: unknown[]): unknown =>
      method.call(owner, change(body), ...others) as unknown,
  );
  const copy = memberOf(client, 'withOptions');
  if (typeof copy !== 'function') return;
  // A copy of the client is a client as much as this one.
  define(client, 'withOptions', (...options: unknown[]): unknown => {
    const copied = copy.apply(client, options) as object;
    patch(copied, path, change);
    return copied;
  });
}

function memberOf(owner: unknown, name: string): unknown {
  return typeof owner === 'object' && owner !== null
    ? (Reflect.get(owner, name) as unknown)
    : undefined;
}

function define(owner: object, name: string, value: unknown): void {
  Object.defineProperty(owner, name, { value, writable: true, configurable: true });
}
