import type { IncomingHttpHeaders } from 'node:http';
import { isSecretName, maskSecrets } from '@holdfast/core/advise';
import type { GatewayConfig } from '../config/gateway-config.ts';
import type { Logger } from '../log/logger.ts';
import type { StdioServerConfig } from '../mcp/mcp-config.ts';

// The gateway redacts here and nowhere else. The shapes of keys and the names of secrets are declared in core,
// `internal/mask-secrets.ts`.

/** What replaces a secret. */
export const REDACTED = '***';

/** Redacts a text. */
export type Mask = (text: string) => string;

/** Redacts the secrets it knows, what has the shape of a key, and what follows the name of a secret. */
export class Redactor {
  #secrets: readonly string[] = [];

  constructor(secrets: Iterable<string> = []) {
    this.setSecrets(secrets);
  }

  /** Replaces the secrets it knows, after a new configuration was loaded. */
  setSecrets(secrets: Iterable<string>): void {
    this.#secrets = usableSecrets(secrets);
  }

  /** Returns one that also knows these secrets, such as the keys of one request. */
  with(secrets: Iterable<string>): Redactor {
    const usable = usableSecrets(secrets);
    return usable.length === 0 ? this : new Redactor([...this.#secrets, ...usable]);
  }

  readonly text: Mask = (text) => maskSecrets(maskValues(text, this.#secrets));
}

/** Returns `text` without any of `secrets`. */
export function maskValues(text: string, secrets: readonly string[]): string {
  let masked = text;
  for (const secret of secrets) masked = masked.replaceAll(secret, REDACTED);
  return masked;
}

/** Written where a local server needs no key. Redacting these would remove `lm-studio` from every model name. */
const PLACEHOLDERS = new Set(['lm-studio', 'not-needed', 'dummy-key', 'placeholder', 'anything']);

/** Secrets that texts can be searched for. A short one would match parts of ordinary words. */
function usableSecrets(secrets: Iterable<string>): readonly string[] {
  return (
    [...new Set(secrets)]
      .filter((secret) => secret.length >= 8 && !PLACEHOLDERS.has(secret))
      // The longest first: one may begin with another.
      .sort((one, other) => other.length - one.length)
  );
}

/** A logger that also redacts `secrets`: the keys of one request, which the logger behind it does not know. */
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

/** Deeper values are not shown. */
const MAX_DEPTH = 64;

/**
 * Returns a copy of `value` that can be written as JSON: `mask` redacts each text, and a text with the name of a
 * secret is replaced. An object that is not plain data, such as a socket, is replaced with its kind.
 */
export function redactValue(value: unknown, mask: Mask = maskSecrets): unknown {
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

/** Texts are secrets; numbers, as in `token: 3`, and schemas, as in `password: { type }`, are not. */
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

/** An address without user, password, query and fragment, each of which may hold a key. */
export function urlWithoutSecrets(url: string): string {
  if (!URL.canParse(url)) return '[no URL]';
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname}`;
}

/** A text that was meant as an address, without what stands before its host and after its `?`. */
export function maskUrl(text: string): string {
  return text
    .replace(/^([a-z]*:?\/\/)?[^/@]*@/i, '$1…@')
    .replace(/[?#].*$/s, (rest) => `${rest.charAt(0)}…`);
}

// ── known secrets ───────────────────────────────────────────────────────────────────────────────

/** The keys and tokens in the headers of a request. */
export function credentialsIn(headers: Readonly<IncomingHttpHeaders>): readonly string[] {
  return Object.entries(headers).flatMap(([name, value = []]) =>
    // `Bearer key`: the key is secret with the scheme and without it.
    isSecretName(name) ? [value].flat().map((text) => text.slice(text.indexOf(' ') + 1)) : [],
  );
}

/** The secrets a configuration holds, for the `Redactor`. */
export function configSecrets(
  config: Pick<GatewayConfig, 'token' | 'adviceKey' | 'upstreams' | 'mcp' | 'store'>,
): string[] {
  const secrets = [config.token, config.adviceKey].filter((secret) => secret !== undefined);
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

/** The secrets in the variables and arguments that a program is started with. */
export function processSecrets({ env, args }: Pick<StdioServerConfig, 'env' | 'args'>): string[] {
  // Addresses of databases hold a password, whatever their variable is called.
  const addresses = [...Object.values(env), ...args].filter((value) => value.includes('://'));
  return [...secretsIn(env), ...secretsInArgs(args), ...addresses.flatMap(secretsInUrl)];
}

/** The values of headers or variables with the name of a secret, with their scheme and without it. */
function secretsIn(values: Readonly<Record<string, string>>): string[] {
  return Object.entries(values).flatMap(([name, value]) =>
    isSecretName(name) ? withoutScheme(value) : [],
  );
}

/** An option, a variable or a header with its value: `--api-key=…`, `API_KEY=…`, `X-Api-Key: …`. */
const NAMED = /^-{0,2}([\w.-]{1,64})(?:=|: ?)(\S.*)$/s;
const OPTION = /^-{1,2}([\w.-]{1,64})$/;

/** The values of secret names, in the same argument or in the next. */
function secretsInArgs(args: readonly string[]): string[] {
  return args.flatMap((arg, at) => {
    const [, name = '', value = ''] = NAMED.exec(arg) ?? [];
    if (isSecretName(name)) return withoutScheme(value);
    const option = OPTION.exec(args[at - 1] ?? '')?.[1];
    return option !== undefined && isSecretName(option) ? withoutScheme(arg) : [];
  });
}

/** A value, and the same without `Bearer` or another scheme before it. */
function withoutScheme(value: string): string[] {
  return [value, value.slice(value.indexOf(' ') + 1)];
}

/** The password of an address and the secrets in its query, as written and percent-decoded. */
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
    // A % that encodes no character is sent as it is.
    return written;
  }
}
