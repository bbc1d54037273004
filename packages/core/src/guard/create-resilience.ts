import { checkOptions, object } from '../internal/check-options.ts';
import type { OptionRule } from '../internal/check-options.ts';
import type { Refusal } from './breaker/circuit-breaker.ts';
import type { CircuitOptions } from './breaker/circuit-options.ts';
import { Circuits } from './circuits.ts';
import type { AttemptContext } from './execution.ts';
import type { RunOptions } from './executor.ts';
import { ENVIRONMENT_RULES } from './guard-environment.ts';
import type { GuardEnvironment } from './guard-environment.ts';
import { CategoryExecutors } from './presets/category-executors.ts';
import { createNamedCircuits } from './presets/create-named-circuits.ts';
import { RESILIENCE_CATEGORIES } from './presets/resilience-categories.ts';
import type { CategoryOptions, ResilienceCategory } from './presets/resilience-categories.ts';

/** The circuits and kinds of tools of `createResilience`. */
export interface ResilienceOptions<Category extends string> extends GuardEnvironment {
  /** The circuits to use, with their clock and listener. @defaultValue createNamedCircuits() */
  readonly circuits?: Circuits;
  /** Kinds of tools of your own, or other settings for those that come along. @defaultValue {} */
  readonly categories?: Readonly<Record<Category, CategoryOptions>>;
}

/** What is done under guard. It need not look at what it is given. */
export type Operation<T> = (context: AttemptContext) => T | Promise<T>;

/** What one call of `withResilience` is given. */
export interface ResilienceContext extends RunOptions {
  /** Decides the circuit, and is named in events and timeouts. @defaultValue the category */
  readonly tool?: string | undefined;
}

type OfCategory = <T>(operation: Operation<T>, tool?: string, options?: RunOptions) => Promise<T>;

/** Functions over one set of circuits. They need no `this`. */
export interface Resilience<Category extends string = never> {
  readonly circuits: Circuits;
  /** Sets a circuit up; see `Circuits.configureCircuit`. */
  readonly configureCircuit: (name: string, options: CircuitOptions) => void;
  /** Makes the call through the circuit of that name. Where it is open: the fallback, or `CircuitOpenError`. */
  readonly withCircuitBreaker: <T>(
    name: string,
    operation: () => T | Promise<T>,
    fallback?: (refusal: Refusal) => T | Promise<T>,
  ) => Promise<T>;
  /** Timeout around circuit around retry, as is right for that kind of tool. */
  readonly withResilience: <T>(
    category: Category | ResilienceCategory,
    operation: Operation<T>,
    context?: ResilienceContext,
  ) => Promise<T>;
  readonly withGitHubResilience: OfCategory;
  readonly withLspResilience: OfCategory;
  readonly withLocalResilience: OfCategory;
  readonly withPackageResilience: OfCategory;
}

const RULES: Readonly<Record<keyof ResilienceOptions<string>, OptionRule>> = {
  circuits: (value) => (value instanceof Circuits ? undefined : 'a Circuits'),
  categories: object,
  ...ENVIRONMENT_RULES,
};

/** Guards for tools of the kinds that come along, and of your own. Each has circuits of its own. */
export function createResilience<Category extends string = never>(
  options: ResilienceOptions<Category> = {},
): Resilience<Category> {
  checkOptions(options, RULES, 'resilience');
  const { circuits: given, categories, ...environment } = options;
  const circuits = given ?? createNamedCircuits(environment);
  const executors = new CategoryExecutors(
    circuits,
    { ...RESILIENCE_CATEGORIES, ...categories },
    environment,
  );
  const of =
    (category: ResilienceCategory): OfCategory =>
    (operation, tool, run) =>
      executors.get(category, tool).call(operation, run);
  return {
    circuits,
    configureCircuit: (name, settings) => {
      circuits.configureCircuit(name, settings);
    },
    withCircuitBreaker: (name, operation, fallback) =>
      circuits.get(name).call(() => operation(), { fallback }),
    withResilience: async (category, operation, { tool, signal } = {}) =>
      executors.get(category, tool).call(operation, { signal }),
    withGitHubResilience: of('github'),
    withLspResilience: of('lsp'),
    withLocalResilience: of('local'),
    withPackageResilience: of('package'),
  };
}
