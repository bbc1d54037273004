import { layersOf } from '../internal/error-layers.ts';
import { codesOf, messageStart, statusOf } from '../internal/error-signals.ts';
import { FAILURE_RULES } from '../internal/failure-class.ts';
import type { FailureSign } from '../internal/failure-codes.ts';
import { signOfStructure } from '../internal/failure-signs.ts';
import { QUOTA, RATE_LIMIT, TIMEOUT } from '../internal/failure-wording.ts';

/** Whether it asks for fewer calls: 429, 403 that speaks of a limit, or the words of one. */
export function isRateLimited(error: unknown): boolean {
  const layers = layersOf(error);
  const sign = signOfStructure(layers);
  if (sign === 'rate-limited') return true;
  const isForbidden = layers.some((layer) => statusOf(layer) === 403);
  if (!isForbidden && !mayGoByWords(sign)) return false;
  return says(layers, RATE_LIMIT) || says(layers, QUOTA);
}

/** Whether a server failed: a status from 500 to 599, or a code that means the same. */
export function isServerError(error: unknown): boolean {
  const layers = layersOf(error);
  const hasStatus = layers.some((layer) => (statusOf(layer) ?? 0) >= 500);
  return hasStatus || signOfStructure(layers) === 'server';
}

/** Whether it took too long. A reset connection counts: that is how many servers end what does. */
export function isTimeout(error: unknown): boolean {
  const layers = layersOf(error);
  const sign = signOfStructure(layers);
  if (sign === 'timeout' || hasCode(layers, TIMEOUT_CODE)) return true;
  return mayGoByWords(sign) && says(layers, TIMEOUT);
}

/** Whether a language server has not finished starting. */
export function isLspNotReady(error: unknown): boolean {
  const layers = layersOf(error);
  return hasCode(layers, LSP_CODE) || says(layers, LSP_WORDING);
}

/** Whether nobody answers there: refused, no such host, no way to it. */
export function isConnectionRefused(error: unknown): boolean {
  return hasCode(layersOf(error), REFUSED_CODE);
}

/** Whether a file or folder is in use, so that the same may work in a moment. */
export function isFileBusy(error: unknown): boolean {
  return hasCode(layersOf(error), BUSY_CODE);
}

const TIMEOUT_CODE = /\b(?:ETIMEDOUT|ESOCKETTIMEDOUT|ECONNRESET)\b/;
const REFUSED_CODE = /\b(?:ECONNREFUSED|ENOTFOUND|EHOSTUNREACH)\b/;
const BUSY_CODE = /\b(?:EBUSY|EAGAIN|ENOTEMPTY)\b/;
const LSP_CODE = /\bLSP_NOT_(?:READY|INITIALIZED)\b/;
const LSP_WORDING =
  /language server (?:is )?not ready|lsp (?:is )?not initialized|server is starting/i;

/** The system writes its codes into messages too, and often only the text of an error is passed on. */
function hasCode(layers: readonly unknown[], pattern: RegExp): boolean {
  return (
    layers.some((layer) => codesOf(layer).some((code) => pattern.test(code))) ||
    says(layers, pattern)
  );
}

function says(layers: readonly unknown[], pattern: RegExp): boolean {
  return layers.some((layer) => pattern.test(messageStart(layer) ?? ''));
}

/** `404` with `timeout` somewhere in its text is no timeout: a status, code or name that is final wins. */
function mayGoByWords(sign: FailureSign | undefined): boolean {
  if (sign === undefined || sign === 'abort' || sign === 'tool-error') return true;
  return FAILURE_RULES[sign].retryable;
}
