import { createResilience } from './create-resilience.ts';
import type { Resilience } from './create-resilience.ts';

let shared: Resilience | undefined;

/** What the functions below share, made on first use. Who needs circuits apart makes them with `createResilience`. */
export function sharedResilience(): Resilience {
  shared ??= createResilience();
  return shared;
}

/** Sets up one of the shared circuits. */
export const configureCircuit: Resilience['configureCircuit'] = (name, options) => {
  sharedResilience().configureCircuit(name, options);
};

/** As `Resilience.withCircuitBreaker`, over the shared circuits. */
export const withCircuitBreaker: Resilience['withCircuitBreaker'] = (name, operation, fallback) =>
  sharedResilience().withCircuitBreaker(name, operation, fallback);

/** As `Resilience.withResilience`, over the shared circuits. */
export const withResilience: Resilience['withResilience'] = (category, operation, context) =>
  sharedResilience().withResilience(category, operation, context);

/** For tools that ask GitHub: 60 s, three attempts, circuits by kind of endpoint. */
export const withGitHubResilience: Resilience['withGitHubResilience'] = (
  operation,
  tool,
  options,
) => sharedResilience().withGitHubResilience(operation, tool, options);

/** For tools that ask a language server: 30 s, three attempts. */
export const withLspResilience: Resilience['withLspResilience'] = (operation, tool, options) =>
  sharedResilience().withLspResilience(operation, tool, options);

/** For tools that read local files: 30 s, two attempts. */
export const withLocalResilience: Resilience['withLocalResilience'] = (operation, tool, options) =>
  sharedResilience().withLocalResilience(operation, tool, options);

/** For tools that ask package registries: 30 s, three attempts. */
export const withPackageResilience: Resilience['withPackageResilience'] = (
  operation,
  tool,
  options,
) => sharedResilience().withPackageResilience(operation, tool, options);
