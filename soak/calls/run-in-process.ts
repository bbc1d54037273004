import { createToolRunner } from '@holdfast/core';
import type { ToolCall, ToolOutcome } from '@holdfast/core';
import { Advisor } from '@holdfast/core/advise';
import { createToolCallStream } from '@holdfast/core/parse';
import { Dice } from '../dice.ts';
import type { Sample } from '../invariants/flat.ts';
import type { Violations } from '../invariants/violations.ts';
import { OFFERED, textWithout, writeTurn } from '../model/turn-script.ts';
import type { TurnScript } from '../model/turn-script.ts';
import type { CallsMade } from '../report/calls-outcome.ts';
import { callTools } from './call-tools.ts';
import type { Ran } from './call-tools.ts';
import { sampleHere } from './sample-here.ts';

export interface InProcessOptions {
  readonly calls: number;
  readonly seed: number;
  readonly violations: Violations;
  readonly print: (line: string) => void;
}

/** Turns whose calls run at the same time. */
const WAVE = 400;
const SAMPLES = 31;
/** A million turns a character at a time would take an hour. */
const SMALLEST_PIECE = 7;
/** A conversation does not go on for ever. */
const CALLS_OF_CONVERSATION = 1000;

/** Calls, written by a model in every dialect, are read from a stream and run behind the guard, all in this process. */
export async function runInProcess(options: InProcessOptions): Promise<CallsMade> {
  const { calls, seed, violations, print } = options;
  const startedAt = performance.now();
  let ran: Ran = new Map();
  const runner = createToolRunner({
    tools: callTools(new Dice(seed, 'tools'), () => ran),
    attemptTimeoutMs: 20,
    retry: { maxRetries: 2, initialDelayMs: 1, maxDelayMs: 2 },
  });
  const counts = { calls: 0, turns: 0, ok: 0, failed: 0, refused: 0 };
  const samples: Sample[] = [];
  let advisor = new Advisor();
  while (counts.calls < calls) {
    const read: ToolCall[] = [];
    for (let turn = 0; turn < WAVE; turn++) {
      const script = writeTurn(seed, `c${counts.turns++}`, { isWritten: true });
      read.push(...readTurn(script, violations));
    }
    const conversation = advisor;
    const run = (call: ToolCall): Promise<ToolOutcome> =>
      runner.run(call, { advisor: conversation });
    const outcomes = await Promise.all(read.map(run));
    for (const [index, outcome] of outcomes.entries()) judge(read[index], outcome);
    ran = new Map();
    if (counts.calls % CALLS_OF_CONVERSATION < read.length) advisor = new Advisor();
    if (counts.calls >= (samples.length * calls) / (SAMPLES - 1)) {
      samples.push(sampleHere((performance.now() - startedAt) / 1000));
      const mb = ((samples.at(-1)?.heapBytes ?? 0) / 1024 / 1024).toFixed(1);
      if (samples.length % 5 === 1) print(`${counts.calls} calls in this process, heap ${mb} MB`);
    }
  }
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  return { ...counts, seconds, samples };

  function judge(call: ToolCall | undefined, outcome: ToolOutcome): void {
    if (call === undefined) return;
    counts.calls++;
    const { id } = call.arguments;
    const times = (typeof id === 'string' ? ran.get(id) : undefined) ?? 0;
    const isRefused = !outcome.ok && outcome.attempts === 0;
    if (outcome.ok) counts.ok++;
    else if (isRefused) counts.refused++;
    else counts.failed++;
    const mayRepeat = call.name === 'shelf__look';
    const isRight = outcome.ok || !isRefused ? times >= 1 : times === 0;
    violations.check(
      'effects-once',
      isRight && (times <= 1 || mayRepeat),
      () => `${call.name} ran ${times} times: ${JSON.stringify(outcome).slice(0, 300)}`,
    );
  }
}

/** Reads a turn as it streams in. What is read has to be what was written. */
function readTurn(script: TurnScript, violations: Violations): readonly ToolCall[] {
  const written = textWithout(script, 0);
  const calls: ToolCall[] = [];
  let text = '';
  const stream = createToolCallStream({
    tools: OFFERED,
    onEvent: (event) => {
      if (event.type === 'text-delta') text += event.text;
      else if (event.type === 'call-end') calls.push(event.call);
    },
  });
  const size = Math.max(script.cut, SMALLEST_PIECE);
  for (let at = 0; at < written.length; at += size) stream.feed(written.slice(at, at + size));
  stream.end();
  const meant = JSON.stringify(script.calls.map((call) => [call.name, call.arguments]));
  const isSame = JSON.stringify(calls.map((call) => [call.name, call.arguments])) === meant;
  violations.check('calls-complete', isSame, () => `${script.id}: ${JSON.stringify(written)}`);
  const isKept = text === textWithout(script, script.calls.length);
  violations.check('text-conserved', isKept, () => `${script.id}: ${JSON.stringify(written)}`);
  return calls;
}
