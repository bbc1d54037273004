import * as mollitiaModule from 'mollitia';
import { peerVersions } from './harness/peer-versions.mjs';
import { peerAliases } from './harness/peer-aliases.mjs';

export const cockatiel = await import(peerAliases.cockatiel);
export const { default: Opossum } = await import(peerAliases.opossum);
export const { default: pRetry } = await import(peerAliases['p-retry']);
export const mollitia = mollitiaModule;

const versions = peerVersions();
/** The name of a peer as the tables print it. */
export const label = (name) => `${name} ${versions[name]}`;

/** What all contestants are told, as far as they know it. */
export const TIMEOUT_MS = 30_000;
/** Longer than any group takes. */
export const OPEN_MS = 3_600_000;
export const RETRIES = 2;
const RATIO = 0.5;
const WINDOW_MS = 60_000;
const MIN_CALLS = 10;

/** The ways cockatiel decides that a circuit opens. */
export const cockatielRules = {
  consecutive: () => new cockatiel.ConsecutiveBreaker(5),
  sampling: () =>
    new cockatiel.SamplingBreaker({
      threshold: RATIO,
      duration: WINDOW_MS,
      minimumRps: MIN_CALLS / (WINDOW_MS / 1000),
    }),
  count: (size = 100) =>
    new cockatiel.CountBreaker({ threshold: RATIO, size, minimumNumberOfCalls: MIN_CALLS }),
};

export function cockatielBreaker(rule) {
  return cockatiel.circuitBreaker(cockatiel.handleAll, { halfOpenAfter: OPEN_MS, breaker: rule });
}

export function cockatielStack() {
  return cockatiel.wrap(
    cockatiel.timeout(TIMEOUT_MS, cockatiel.TimeoutStrategy.Aggressive),
    cockatielBreaker(cockatielRules.sampling()),
    cockatiel.retry(cockatiel.handleAll, {
      maxAttempts: RETRIES,
      backoff: new cockatiel.ExponentialBackoff({ initialDelay: 500 }),
    }),
  );
}

export const mollitiaRules = {
  count: (size = 100) =>
    new mollitia.SlidingCountBreaker({
      slidingWindowSize: size,
      minimumNumberOfCalls: MIN_CALLS,
      failureRateThreshold: RATIO * 100,
      openStateDelay: OPEN_MS,
    }),
  time: () =>
    new mollitia.SlidingTimeBreaker({
      slidingWindowSize: WINDOW_MS,
      minimumNumberOfCalls: MIN_CALLS,
      failureRateThreshold: RATIO * 100,
      openStateDelay: OPEN_MS,
    }),
};

export function mollitiaCircuit(func, ...modules) {
  return new mollitia.Circuit({ func, options: { modules } });
}

export function mollitiaStack(func) {
  return mollitiaCircuit(
    func,
    new mollitia.Timeout({ delay: TIMEOUT_MS }),
    mollitiaRules.count(),
    new mollitia.Retry({ attempts: RETRIES, interval: 500, mode: 'exponential' }),
  );
}
