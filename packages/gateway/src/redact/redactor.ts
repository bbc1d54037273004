import type { IncomingHttpHeaders } from 'node:http';
import { isSecretName, maskSecrets } from '@holdfast/core/advise';
import type { GatewayConfig } from '../config/gateway-config.ts';
import type { Logger } from '../log/logger.ts';
import type { StdioServerConfig } from '../mcp/mcp-config.ts';

// The one home of redaction: which secrets there are, and what a text, a value, an address or a log line is without
// them. What a secret looks like, and which names secrets have, is declared in core (`internal/mask-secrets.ts`).

/** What replaces a secret. */
export const REDACTED = '***';

/** Takes secrets out of a text. */
export type Mask = (text: string) => string;

/** Redacts the secrets it knows, what has the shape of a key, and what follows the name of a secret. */
export class Redactor {
  #secrets: readonly string[] = [];

  constructor(secrets: Iterable<string> = []) {
    this.setSecrets(secrets);
  }

  /** The secrets of a new configuration, in place of those of the old one. */
  setSecrets(secrets: Iterable<string>): void {
    this.#secrets = usableSecrets(secrets);
  }

  /** One that knows these secrets as well, such as the keys of one request. */
  with(secrets: Iterable<string>): Redactor {
    const usable = usableSecrets(secrets);
    return usable.length === 0 ? this : new Redactor([...this.#secrets, ...usable]);
  }

  readonly text: Mask = (text) => maskSecrets(maskValues(text, this.#secrets));
}

/** `text` without any of `secrets`. */
export function maskValues(text: string, secrets: readonly string[]): string {
  let masked = text;
  for (const secret of secrets) masked = masked.replaceAll(secret, REDACTED);
  return masked;
}

/** What people write where a local server needs no key. To mask these would take `lm-studio` out of every model name. */
const PLACEHOLDERS = new Set(['lm-studio', 'not-needed', 'dummy-key', 'placeholder', 'anything']);

/** Secrets that can be looked for in texts; a short one would be found in words that mean nothing of it. */
function usableSecrets(secrets: Iterable<string>): readonly string[] {
  return (
    [...new Set(secrets)]
      .filter((secret) => secret.length >= 8 && !PLACEHOLDERS.has(secret))
      // One that begins with another is taken out whole.
      .sort((one, other) => other.length - one.length)
  );
}

/** A logger that writes through another, without `secrets`: the keys of one request, which no configuration knows. */
export function redactingLogger(log: Logger, secrets: readonly string[]): Logger {
  const usable = usableSecrets(secrets);
  if (usable.length === 0) return log;
  const mask: Mask = (text) => maskValues(text, usable);
  const wrap = (inner: Logger): Logger => ({
    debug: (fields, message) => inner.debug(redactFields(fields, mask), mask(message)),
    info: (fields, message) => inner.info(redactFields(fields, mask), mask(message)),
    warn: (fields, message) => inner.warn(redactFields(fields, mask), mask(message)),
    error: (fields, message) => inner.error(redactFields(fields, mask), mask(message)),
    child: (fields) => wrap(inner.child(redactFields(fields, mask))),
  });
  return wrap(log);
}

// ── values ──────────────────────────────────────────────────────────────────────────────────────

/** Deeper than this nothing is shown. */
const MAX_DEPTH = 64;

/**
 * A copy of `value` that can be written as JSON: texts go through `mask`, those with the name of a secret are
 * left out. Of objects that are no plain data, such as a socket, only the kind is told.
 */
export function redactValue(value: unknown, mask: Mask): unknown {
  return copy(value, mask, []);
}

/** `redactValue` for named values. */
export function redactFields(
  fields: Readonly<Record<string, unknown>>,
  mask: Mask,
): Record<string, unknown> {
  return copyFields(fields, mask, [fields]);
}

function copy(value: unknown, mask: Mask, within: readonly object[]): unknown {
  if (typeof value === 'string') return mask(value);
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return value;
  if (within.includes(value)) return '[circular]';
  if (within.length >= MAX_DEPTH) return '[too deep]';
  const inside = [...within, value];
  if (Array.isArray(value)) return value.map((item) => copy(item, mask, inside));
  if (value instanceof Error) return copyFields(fieldsOf(value), mask, inside);
  if (value instanceof Date) return value.toJSON();
  if (value instanceof URL) return mask(value.href);
  if (isPlain(value)) return copyFields(value, mask, inside);
  return `[${kindOf(value)}]`;
}

function copyFields(
  fields: Readonly<Record<string, unknown>>,
  mask: Mask,
  within: readonly object[],
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      mask(name),
      isSecretName(name) ? hide(value, mask, within) : copy(value, mask, within),
    ]),
  );
}

/** Texts are secrets here; numbers, as in `token: 3`, and schemas, as in `password: { type }`, are not. */
function hide(value: unknown, mask: Mask, within: readonly object[]): unknown {
  if (typeof value === 'string') return REDACTED;
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return [REDACTED];
  return copy(value, mask, within);
}

function fieldsOf(error: Error): Readonly<Record<string, unknown>> {
  const { name, message, stack, cause } = error;
  const code = 'code' in error ? error.code : undefined;
  return {
    name,
    message,
    ...(code !== undefined && { code }),
    ...(stack !== undefined && { stack }),
    ...(cause !== undefined && { cause }),
  };
}

function isPlain(value: object): value is Readonly<Record<string, unknown>> {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function kindOf(value: object): string {
  return ArrayBuffer.isView(value) ? `${value.byteLength} bytes` : value.constructor.name;
}

// ── addresses ───────────────────────────────────────────────────────────────────────────────────

/** An address without user, password, query and fragment: any of them may hold a key. */
export function urlWithoutSecrets(url: string): string {
  if (!URL.canParse(url)) return '[no URL]';
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname}`;
}

/** A text that was meant as an address, as it may be shown: keys are put before the host, and behind the `?`. */
export function maskUrl(text: string): string {
  return text
    .replace(/^([a-z]*:?\/\/)?[^/@]*@/i, '$1…@')
    .replace(/[?#].*$/s, (rest) => `${rest.charAt(0)}…`);
}

// ── the secrets there are ───────────────────────────────────────────────────────────────────────

/** The keys and tokens a client sent with a request, so that they can be kept out of all that is written of it. */
export function credentialsIn(headers: Readonly<IncomingHttpHeaders>): readonly string[] {
  return Object.entries(headers).flatMap(([name, value = []]) =>
    // `Bearer key`: the key is secret with the scheme and without it.
    isSecretName(name) ? [value].flat().map((text) => text.slice(text.indexOf(' ') + 1)) : [],
  );
}

/** The secrets a configuration holds, for the `Redactor`. */
export function configSecrets(
  config: Pick<GatewayConfig, 'token' | 'upstreams' | 'mcp' | 'store'>,
): string[] {
  const secrets: string[] = config.token === undefined ? [] : [config.token];
  for (const { apiKey, headers, url } of config.upstreams) {
    if (apiKey !== undefined) secrets.push(apiKey);
    secrets.push(...secretsIn(headers), ...secretsInUrl(url));
  }
  for (const { via } of config.mcp?.servers ?? []) {
    if (via.kind === 'stdio') secrets.push(...processSecrets(via));
    else secrets.push(...secretsIn(via.headers), ...secretsInUrl(via.url));
  }
  if (config.store !== undefined) secrets.push(...secretsInUrl(config.store.url));
  return [...new Set(secrets)].filter((secret) => secret !== '');
}

/** What a program is started with that nobody may see: in its variables and in its arguments. */
export function processSecrets({ env, args }: Pick<StdioServerConfig, 'env' | 'args'>): string[] {
  // Addresses of databases have a password in them, whatever they are called.
  const addresses = [...Object.values(env), ...args].filter((value) => value.includes('://'));
  return [...secretsIn(env), ...secretsInArgs(args), ...addresses.flatMap(secretsInUrl)];
}

/** Of headers or variables, those whose names say that they are secret; also without `Bearer` in front. */
function secretsIn(values: Readonly<Record<string, string>>): string[] {
  return Object.entries(values).flatMap(([name, value]) =>
    isSecretName(name) ? withoutScheme(value) : [],
  );
}

/** The name of an option, a variable or a header in front of its value: `--api-key=…`, `API_KEY=…`, `X-Api-Key: …`. */
const NAMED = /^-{0,2}([\w.-]{1,64})(?:=|: ?)(\S.*)$/s;
const OPTION = /^-{1,2}([\w.-]{1,64})$/;

/** What follows the name of a secret, in the same argument or in the next. */
function secretsInArgs(args: readonly string[]): string[] {
  return args.flatMap((arg, at) => {
    const [, name = '', value = ''] = NAMED.exec(arg) ?? [];
    if (isSecretName(name)) return withoutScheme(value);
    const option = OPTION.exec(args[at - 1] ?? '')?.[1];
    return option !== undefined && isSecretName(option) ? withoutScheme(arg) : [];
  });
}

/** A value, and what follows `Bearer` or the like in front of it. */
function withoutScheme(value: string): string[] {
  return [value, value.slice(value.indexOf(' ') + 1)];
}

/** The password of an address, and what its query names as a secret; both as they are written and as they are meant. */
function secretsInUrl(url: string): string[] {
  if (!URL.canParse(url)) return [];
  const { password, search } = new URL(url);
  const named = search
    .slice(1)
    .split('&')
    .map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)] as const)
    .filter(([name]) => name === 'key' || isSecretName(name))
    .map(([, value]) => value);
  return [password, ...named].flatMap((written) => [decoded(written), written]);
}

function decoded(written: string): string {
  try {
    return decodeURIComponent(written);
  } catch {
    // A % that begins no character: it is sent as it was written.
    return written;
  }
}
