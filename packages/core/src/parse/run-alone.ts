import { systemClock } from '../internal/clock.ts';
import { createIdleCircuit } from './parser-circuit.ts';
import { callId } from '../internal/random.ts';
import { Engine } from './engine.ts';
import { createCounters } from './engine-parser.ts';
import type { Format } from './format.ts';
import { Grammar } from './grammar.ts';
import { resolveLimits } from './limits.ts';
import type { ParseLimits } from './limits.ts';
import type { ParseResult } from './parse-result.ts';
import { ResultCollector } from './result-collector.ts';

/** Reads a text with one parser and no other. */
export function runAlone(
  parser: {
    readonly name: string;
    readonly formats: readonly Format[];
    readonly limits: Partial<ParseLimits>;
  },
  text: string,
): ParseResult {
  const limits = resolveLimits(parser.limits);
  const circuit = createIdleCircuit();
  const entry = {
    name: parser.name,
    rank: 0,
    formats: parser.formats,
    limits,
    counters: createCounters(),
    circuit,
  };
  const collector = new ResultCollector(false);
  const engine = new Engine(
    {
      grammar: new Grammar([entry]),
      limits,
      clock: systemClock,
      nextId: callId,
      tools: undefined,
      preferred: undefined,
      startsInReasoning: false,
      separatesReasoning: true,
      callsInReasoning: 'if-unclosed',
      unknownTool: 'text',
      bareCalls: false,
      keepsIncomplete: false,
    },
    collector,
  );
  engine.feed(text);
  engine.end();
  return collector.result();
}
