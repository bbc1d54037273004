import type { GuardEvent } from './guard-event.ts';

type Opened = Extract<GuardEvent, { type: 'circuit-opened' }>;
type Refused = Extract<GuardEvent, { type: 'circuit-refused' }>;
type Abandoned = Extract<GuardEvent, { type: 'retry-abandoned' }>;

export interface FormatGuardEventOptions {
  /** Whether the line begins with a symbol: 🔴 open, 🟡 half-open, 🟢 closed, ⟳ retry. @defaultValue false */
  readonly symbols?: boolean;
}

/** An event as one line for a log. */
export function formatGuardEvent(
  event: GuardEvent,
  { symbols = false }: FormatGuardEventOptions = {},
): string {
  const symbol = symbols ? SYMBOLS[event.type] : undefined;
  return symbol === undefined ? lineOf(event) : `${symbol} ${lineOf(event)}`;
}

const SYMBOLS: Readonly<Partial<Record<GuardEvent['type'], string>>> = {
  'circuit-opened': '🔴',
  'circuit-refused': '🔴',
  'circuit-half-opened': '🟡',
  'circuit-closed': '🟢',
  'retry-scheduled': '⟳',
};

function lineOf(event: GuardEvent): string {
  switch (event.type) {
    case 'circuit-opened':
      return `Circuit ${printable(event.circuit)} ${howOpened(event)}${onWordOf(event)}`;
    case 'circuit-half-opened':
      return `Circuit ${printable(event.circuit)} entering half-open state`;
    case 'circuit-closed': {
      const why = event.reason === 'reset' ? 'by reset' : 'after recovery';
      return `Circuit ${printable(event.circuit)} CLOSED ${why}${onWordOf(event)}`;
    }
    case 'circuit-refused':
      return `Circuit ${printable(event.circuit)} ${howRefused(event)}`;
    case 'store-degraded':
      return `Fleet store is AWAY: ${printable(event.message)}`;
    case 'store-recovered':
      return 'Fleet store is back';
    case 'circuits-removed':
      return `Cleaned up ${counted(event.circuits.length, 'stale circuit')}`;
    case 'retry-scheduled': {
      const { attempt, maxAttempts, name, delayMs } = event;
      return `Retry ${attempt}/${maxAttempts} for ${printable(name)} in ${Math.round(delayMs)}ms`;
    }
    case 'retry-abandoned': {
      const { name, attempt, reason } = event;
      return `No retry for ${printable(name)} after attempt ${attempt}: ${WHY_ABANDONED[reason]}`;
    }
    case 'call-timed-out':
      return `${printable(event.name)} timed out after ${event.timeoutMs}ms`;
  }
}

const WHY_ABANDONED: Readonly<Record<Abandoned['reason'], string>> = {
  budget: 'the retry budget is spent',
  deadline: 'the time left is shorter than the delay',
  'retry-after': 'the server asks for a longer wait than is allowed',
  'circuit-open': 'its circuit is open',
  probe: 'its circuit is half-open and tries single calls',
  'not-idempotent': 'it is not safe to call twice',
  aborted: 'the caller gave up',
};

/** What the fleet counted is not known here, only on whose word it acted. */
function onWordOf({ replica }: { readonly replica?: string }): string {
  return replica === undefined ? '' : ` (fleet, by ${printable(replica)})`;
}

function howOpened({ reason, failures, openForMs, replica }: Opened): string {
  const isOfFleet = replica !== undefined;
  switch (reason) {
    case 'failure_ratio_exceeded':
      if (isOfFleet) return 'OPENED after too many failures';
      return `OPENED after ${counted(failures, 'failure')} in its window`;
    case 'slow_ratio_exceeded':
      return 'OPENED after too many slow calls';
    case 'probe_failed':
      return 'back to OPEN after half-open failure';
    case 'probe_slow':
      return 'back to OPEN after slow half-open call';
    case 'retry_after':
      return `OPENED for ${seconds(openForMs)} as the server asked`;
    case 'isolated':
      return `ISOLATED ${openForMs === Infinity ? 'until it is reset' : `for ${seconds(openForMs)}`}`;
    case 'failure_threshold_exceeded':
    case 'recovery_timeout_expired':
    case 'probe_succeeded':
    case 'reset':
      if (isOfFleet) return 'OPENED after failures in a row';
      return `OPENED after ${counted(failures, 'failure')}`;
  }
}

function howRefused({ retryAfterMs, isShadow, reason }: Refused): string {
  if (reason === 'store-lost') {
    const shadow = isShadow ? ' (shadow mode, the call ran)' : '';
    return `takes no calls while its store is away${shadow}`;
  }
  const until =
    retryAfterMs === Infinity ? 'until it is reset' : `- ${seconds(retryAfterMs)} until retry`;
  return isShadow ? `would be OPEN ${until} (shadow mode, the call ran)` : `is OPEN ${until}`;
}

/** Rounded up: who comes back when the line says so is not too early. */
function seconds(ms: number): string {
  return `${Math.ceil(ms / 1000)}s`;
}

function counted(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? '' : 's'}`;
}

/** Names come from models: none may end the line, or write another one. */
function printable(name: string): string {
  return name.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\uFFFD');
}
