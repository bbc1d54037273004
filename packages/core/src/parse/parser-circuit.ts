import { CIRCUIT_RULES, CircuitMachine } from '../internal/circuit-machine.ts';
import { systemRandom } from '../internal/random.ts';

/** The circuit of a parser: one that threw five times in a row is left out for a minute. */
export function createParserCircuit(): CircuitMachine {
  const rules = { ...CIRCUIT_RULES, consecutiveMaxAgeMs: Infinity, failureRatio: Infinity };
  return new CircuitMachine(rules, systemRandom);
}

/** A circuit that never opens. */
export function createIdleCircuit(): CircuitMachine {
  const rules = { ...CIRCUIT_RULES, consecutiveFailures: Infinity, failureRatio: Infinity };
  return new CircuitMachine(rules, systemRandom);
}
