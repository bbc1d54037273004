export { AttemptWatch } from './attempt-watch.ts';
export type { AttemptLimits, WatchedAttempt } from './attempt-watch.ts';
export { BACKOFF_DEFAULTS, backoffDelay } from './backoff.ts';
export type { BackoffSettings, Jitter } from './backoff.ts';
export { CircuitBreaker } from './breaker/circuit-breaker.ts';
export type { BreakerCallOptions, Refusal } from './breaker/circuit-breaker.ts';
export type { CircuitMetadata } from './breaker/circuit-metadata.ts';
export { metricsToJson } from './breaker/circuit-metrics.ts';
export type { CircuitMetrics, CircuitTransition } from './breaker/circuit-metrics.ts';
export { CIRCUIT_DEFAULTS } from './breaker/circuit-options.ts';
export type { CircuitOptions, CircuitSettings } from './breaker/circuit-options.ts';
export { Bulkhead, BULKHEAD_DEFAULTS } from './bulkhead.ts';
export type { BulkheadOptions, BulkheadRun } from './bulkhead.ts';
export { Circuits } from './circuits.ts';
export type { ToolCircuits, ToolPlace } from './circuits.ts';
export { PROVIDER_CIRCUIT, SERVER_CIRCUIT } from './circuits/circuit-levels.ts';
export { CIRCUITS_DEFAULTS } from './circuits/circuits-options.ts';
export type { CircuitsOptions } from './circuits/circuits-options.ts';
export { createResilience } from './create-resilience.ts';
export type {
  Operation,
  Resilience,
  ResilienceContext,
  ResilienceOptions,
} from './create-resilience.ts';
export {
  isConnectionRefused,
  isFileBusy,
  isLspNotReady,
  isRateLimited,
  isServerError,
  isTimeout,
} from './detectors.ts';
export type { AttemptContext } from './execution.ts';
export { Executor, EXECUTOR_DEFAULTS } from './executor.ts';
export type { ExecutorOptions, RunOptions } from './executor.ts';
export type { Outcome } from './executor-outcome.ts';
export { withFallback } from './fallback.ts';
export type { Fallback, FallbackRun, FallbackWork } from './fallback.ts';
export { LAST_GOOD_DEFAULTS, LastGood } from './last-good.ts';
export type { LastGoodOptions } from './last-good.ts';
export { formatGuardEvent } from './format-guard-event.ts';
export type { GuardEnvironment, ResolvedEnvironment } from './guard-environment.ts';
export type { GuardEvent, GuardEventListener } from './guard-event.ts';
export { bulkhead, circuit, fallback, retry, timeout } from './policies.ts';
export type { AbandonReason, RetryGate } from './plan-retry.ts';
export { compose } from './policy.ts';
export type { Policy, PolicyContext } from './policy.ts';
export { createNamedCircuits } from './presets/create-named-circuits.ts';
export { NAMED_CIRCUIT_DEFAULTS, NAMED_CIRCUITS } from './presets/named-circuits.ts';
export type { NamedCircuit } from './presets/named-circuits.ts';
export { RESILIENCE_CATEGORIES } from './presets/resilience-categories.ts';
export type { CategoryOptions, ResilienceCategory } from './presets/resilience-categories.ts';
export { TOOL_CIRCUITS } from './presets/tool-circuits.ts';
export { RetryBudget, RETRY_BUDGET_DEFAULTS } from './retry-budget.ts';
export type { RetryBudgetOptions } from './retry-budget.ts';
export { retryOptionsOf } from './retry-config.ts';
export type { RetryConfig } from './retry-config.ts';
export { RETRY_DEFAULTS } from './retry-options.ts';
export type { RetryOptions, RetrySettings } from './retry-options.ts';
export { withRetry } from './retry.ts';
export type { RetryAttempt, RetryRun } from './retry.ts';
export {
  configureCircuit,
  sharedResilience,
  withCircuitBreaker,
  withGitHubResilience,
  withLocalResilience,
  withLspResilience,
  withPackageResilience,
  withResilience,
} from './shared-resilience.ts';
export { CircuitFleet } from './store/circuit-fleet.ts';
export type { FleetCircuitStatus, FleetStatus } from './store/circuit-fleet.ts';
export { CIRCUIT_FLEET_DEFAULTS } from './store/circuit-fleet-options.ts';
export type { CircuitFleetOptions } from './store/circuit-fleet-options.ts';
export type {
  CircuitReport,
  CircuitStore,
  FleetRules,
  HeldCircuit,
  LeaseReply,
  LeaseRequest,
  OverrideCommand,
  ProbeSettlement,
  ReplicaRecord,
  SharedCircuit,
} from './store/circuit-store.ts';
export { MemoryCircuitStore } from './store/memory-circuit-store.ts';
export type { MemoryCircuitStoreOptions } from './store/memory-circuit-store.ts';
export { withTimeout } from './timeout.ts';
export type { TimedWork, TimeoutRun } from './timeout.ts';
export {
  BulkheadFullError,
  CircuitOpenError,
  CircuitStoreError,
  HoldfastError,
  InvalidOptionError,
  ToolTimeoutError,
} from '../errors.ts';
export type { CircuitState, TransitionReason } from '../internal/circuit-machine.ts';
export type { Permit } from '../internal/circuit-machine.ts';
export { FAILURE_RULES } from '../internal/failure-class.ts';
export type { Failure, FailureClass, FailureRule } from '../internal/failure-class.ts';
export { readReturned, readThrown } from '../internal/read-failure.ts';
export type { Clock, MonotonicClock } from '../internal/clock.ts';
export { systemClock } from '../internal/clock.ts';
export type { Random } from '../internal/random.ts';
