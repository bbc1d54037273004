import type { ObservedEvent } from '../observe/gateway-event.ts';
import type { MetricRegistry } from './metric-registry.ts';

/** What tool calls come to, what was set right in them, and what models were told of them. */
export function callMetrics(registry: MetricRegistry): (observed: ObservedEvent) => void {
  const calls = registry.counter({
    name: 'holdfast_tool_calls_total',
    help: 'Tool calls that are over: ok, failed, or refused where they were not sent; with the class of the failure.',
    labels: ['source', 'server', 'tool', 'outcome', 'class'],
  });
  const failureTypes = registry.counter({
    name: 'holdfast_tool_failures_total',
    help: 'Tool calls that failed, by the type of the failure, as the advisor reads it.',
    labels: ['source', 'server', 'tool', 'type'],
  });
  const timeouts = registry.counter({
    name: 'holdfast_timeouts_total',
    help: 'Tool calls that were given up because the tool took too long.',
    labels: ['source', 'server', 'tool'],
  });
  const repaired = registry.counter({
    name: 'holdfast_argument_repairs_total',
    help: 'Tool calls whose arguments were set right by the schema of the tool, by what was.',
    labels: ['server', 'tool', 'repair'],
  });
  const refused = registry.counter({
    name: 'holdfast_argument_refusals_total',
    help: 'Tool calls whose arguments do not fit the schema of the tool, by what is wrong.',
    labels: ['server', 'tool', 'issue'],
  });
  const stopped = registry.counter({
    name: 'holdfast_plugin_stops_total',
    help: 'Tool calls that a plugin stopped, by its code.',
    labels: ['server', 'tool', 'code'],
  });
  const cut = registry.counter({
    name: 'holdfast_results_cut_total',
    help: 'Results of tools that were too large and were cut.',
    labels: ['server', 'tool'],
  });
  const advice = registry.counter({
    name: 'holdfast_advice_total',
    help: 'Advice that models were given, by the rule.',
    labels: ['source', 'rule'],
  });
  const loops = registry.counter({
    name: 'holdfast_loops_total',
    help: 'Models that were told that they go round in circles, by how.',
    labels: ['source', 'rule'],
  });
  const vetoes = registry.counter({
    name: 'holdfast_vetoes_total',
    help: 'Tool calls that the advisor stopped, by the rule.',
    labels: ['source', 'rule'],
  });

  return ({ source, event }) => {
    switch (event.type) {
      case 'call-ended': {
        const { server, tool, outcome, failureType } = event;
        calls.add({ source, server, tool, outcome, class: event.class });
        if (outcome === 'failed') failureTypes.add({ source, server, tool, type: failureType });
        if (event.class === 'timeout') timeouts.add({ source, server, tool });
        break;
      }
      case 'arguments-repaired':
        for (const repair of kindsOf(event.repairs)) {
          repaired.add({ server: event.server, tool: event.tool, repair });
        }
        break;
      case 'arguments-refused':
        for (const issue of kindsOf(event.issues)) {
          refused.add({ server: event.server, tool: event.tool, issue });
        }
        break;
      case 'call-stopped':
        stopped.add({ server: event.server, tool: event.tool, code: event.code });
        break;
      case 'result-cut':
        cut.add({ server: event.server, tool: event.tool });
        break;
      case 'advice-given':
        for (const rule of event.rules) countAdvice(source, rule);
        break;
      case 'turn-ended':
        for (const rule of event.advice) countAdvice(source, rule);
        break;
      case 'call-vetoed':
        vetoes.add({ source, rule: event.rule });
        break;
      default:
    }
  };

  function countAdvice(source: string, rule: string): void {
    advice.add({ source, rule });
    if (LOOPS.has(rule)) loops.add({ source, rule });
  }
}

/** The rules that speak when a model repeats itself. */
const LOOPS: ReadonlySet<string> = new Set(['same-call', 'no-progress', 'cycle']);

/** `coerced-value at limit` without where it is: arguments are named by whoever wrote the tool. */
function kindsOf(places: readonly string[]): ReadonlySet<string> {
  return new Set(places.map((place) => place.split(' at ', 1)[0] ?? place));
}
