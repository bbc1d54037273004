import type { Logger } from './logger.ts';
import { maskValues, usableSecrets } from './mask-values.ts';
import { redactFields } from './redact-value.ts';

/** A logger that writes through another, without `secrets`: the keys of one request, which no configuration knows. */
export function maskingLogger(log: Logger, secrets: readonly string[]): Logger {
  const usable = usableSecrets(secrets);
  if (usable.length === 0) return log;
  const mask = (text: string): string => maskValues(text, usable);
  const wrap = (inner: Logger): Logger => ({
    debug: (fields, message) => inner.debug(redactFields(fields, mask), mask(message)),
    info: (fields, message) => inner.info(redactFields(fields, mask), mask(message)),
    warn: (fields, message) => inner.warn(redactFields(fields, mask), mask(message)),
    error: (fields, message) => inner.error(redactFields(fields, mask), mask(message)),
    child: (fields) => wrap(inner.child(redactFields(fields, mask))),
  });
  return wrap(log);
}
