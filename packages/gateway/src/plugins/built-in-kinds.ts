import type { BuiltInPlugin } from './built-in/built-in-plugin.ts';

interface BuiltInKind {
  /** The name of its class elsewhere, where there is one. */
  readonly className?: string;
  load(): Promise<BuiltInPlugin>;
}

/** The plugins that come with the gateway, by their names. Each is loaded when a file asks for it. */
const KINDS: Readonly<Record<string, BuiltInKind>> = {
  'circuit-breaker': {
    className: 'CircuitBreakerPlugin',
    load: async () => (await import('./built-in/circuit-breaker.ts')).circuitBreaker,
  },
  'retry-with-backoff': {
    className: 'RetryWithBackoffPlugin',
    load: async () => (await import('./built-in/retry-with-backoff.ts')).retryWithBackoff,
  },
  'fallback-advisor': {
    load: async () => (await import('./built-in/fallback-advisor.ts')).fallbackAdvisor,
  },
  'schema-guard': {
    className: 'SchemaGuardPlugin',
    load: async () => (await import('./built-in/schema-guard.ts')).schemaGuard,
  },
  'output-length-guard': {
    className: 'OutputLengthGuardPlugin',
    load: async () => (await import('./built-in/output-length-guard.ts')).outputLengthGuard,
  },
  'secrets-masking': {
    className: 'SecretsDetectionPlugin',
    load: async () => (await import('./built-in/secrets-masking.ts')).secretsMasking,
  },
};

/** The names of all of them. */
export const BUILT_IN_NAMES: readonly string[] = Object.freeze(Object.keys(KINDS));

/** What a kind that is not known was probably meant to be: also of classes, by their last names. */
export const BUILT_IN_CLASSES: readonly string[] = Object.freeze(
  Object.values(KINDS).flatMap(({ className }) => className ?? []),
);

/**
 * The built-in plugin that a kind means: by its name, or by the path of a class such as
 * `plugins.circuit_breaker.circuit_breaker.CircuitBreakerPlugin` or `cpex_retry_with_backoff.RetryWithBackoffPlugin`.
 */
export function builtInName(kind: string): string | undefined {
  if (Object.hasOwn(KINDS, kind)) return kind;
  const className = classNameIn(kind);
  if (className === undefined) return undefined;
  return BUILT_IN_NAMES.find((name) => KINDS[name]?.className === className);
}

/** The last part of the path of a class; undefined where a kind is none. */
export function classNameIn(kind: string): string | undefined {
  const isPath = kind.startsWith('plugins.') || kind.startsWith('cpex_');
  return isPath && /^[\w.]+$/.test(kind) ? kind.slice(kind.lastIndexOf('.') + 1) : undefined;
}

export function loadBuiltIn(name: string): Promise<BuiltInPlugin> | undefined {
  return KINDS[name]?.load();
}
