import type { ObservedEvent } from '../observe/gateway-event.ts';
import type { MetricRegistry } from './metric-registry.ts';

/** What circuits and retries do, in the proxy, in front of MCP servers and for agents. */
export function circuitMetrics(registry: MetricRegistry): (observed: ObservedEvent) => void {
  const transitions = registry.counter({
    name: 'holdfast_circuit_transitions_total',
    help: 'Changes of the state of circuits, by the new state and why.',
    labels: ['source', 'circuit', 'to', 'reason'],
  });
  const refusals = registry.counter({
    name: 'holdfast_circuit_refusals_total',
    help: 'Calls that a circuit refused; in shadow mode they ran all the same.',
    labels: ['source', 'circuit', 'shadow'],
  });
  const probes = registry.counter({
    name: 'holdfast_circuit_probes_total',
    help: 'Trials that decided whether a circuit closes again: succeeded, failed or slow.',
    labels: ['source', 'circuit', 'outcome'],
  });
  const retries = registry.counter({
    name: 'holdfast_retries_total',
    help: 'Calls that are made once more, by the class of the failure before.',
    labels: ['source', 'tool', 'class'],
  });
  const abandoned = registry.counter({
    name: 'holdfast_retries_abandoned_total',
    help: 'Calls that failed and were not made once more though they could be, by what spoke against it.',
    labels: ['source', 'reason'],
  });

  return ({ source, event }) => {
    switch (event.type) {
      case 'circuit-opened': {
        const { circuit, reason } = event;
        transitions.add({ source, circuit, to: 'open', reason });
        countProbe(source, circuit, reason);
        break;
      }
      case 'circuit-half-opened': {
        const { circuit } = event;
        transitions.add({ source, circuit, to: 'half_open', reason: 'recovery_timeout_expired' });
        break;
      }
      case 'circuit-closed': {
        const { circuit, reason } = event;
        transitions.add({ source, circuit, to: 'closed', reason });
        countProbe(source, circuit, reason);
        break;
      }
      case 'circuit-refused':
        refusals.add({ source, circuit: event.circuit, shadow: event.isShadow ? 'yes' : 'no' });
        break;
      case 'retry-scheduled':
        retries.add({ source, tool: event.name, class: event.failure.class });
        break;
      case 'retry-abandoned':
        abandoned.add({ source, reason: event.reason });
        break;
      default:
    }
  };

  function countProbe(source: string, circuit: string, reason: string): void {
    const outcome = PROBES.get(reason);
    if (outcome !== undefined) probes.add({ source, circuit, outcome });
  }
}

const PROBES: ReadonlyMap<string, string> = new Map([
  ['probe_succeeded', 'succeeded'],
  ['probe_failed', 'failed'],
  ['probe_slow', 'slow'],
]);
