import { standardChunkings } from './chunkings.ts';
import { parserFor } from './format-names.ts';
import { matches } from './matches.ts';
import { withoutPromptTag } from './policy.ts';
import { firstDifference, readPrefix, readStreamed, readWhole } from './reading.ts';
import type { Reading, ReadOptions } from './reading.ts';
import type { ToolCallVector } from './vector.ts';

/** What differs, in the words of the vector. */
export interface Difference {
  readonly id: string;
  /** `calls`, `content`, …, and the run it was seen in. */
  readonly what: string;
  readonly expected: unknown;
  readonly got: unknown;
}

export interface ToolCallOutcome {
  /** Undefined where we have no parser of that name to tell. */
  readonly told: boolean | undefined;
  readonly untold: boolean;
  /** Whether every chunking gave what the whole text gave, told and untold. */
  readonly streamed: boolean;
  readonly differences: readonly Difference[];
}

const SEED = 20_240_229;

export function runToolCall(vector: ToolCallVector): ToolCallOutcome {
  const untold = runOnce(vector, optionsOf(vector), 'untold');
  const parser = parserFor(vector.format);
  const told =
    parser === undefined
      ? undefined
      : runOnce(vector, { ...optionsOf(vector), format: parser }, 'told');
  const runs = told === undefined ? [untold] : [untold, told];
  // Most differences are there told and untold; once is enough to see them.
  const toldOnly = untold.wrong === undefined ? told?.wrong : undefined;
  const wrong = untold.wrong ?? toldOnly;
  return {
    told: told && told.wrong === undefined,
    untold: untold.wrong === undefined,
    streamed: runs.every(({ streamed }) => streamed.length === 0),
    differences: [...(wrong === undefined ? [] : [wrong]), ...runs.flatMap((run) => run.streamed)],
  };
}

interface Run {
  readonly wrong: Difference | undefined;
  readonly streamed: readonly Difference[];
}

function runOnce(vector: ToolCallVector, options: ReadOptions, name: string): Run {
  const whole = readWhole(vector.input, options);
  const wrong = compare(vector, whole, name);
  // Of a prefix, what a stream has told so far is an answer as well.
  const isTold =
    wrong !== undefined &&
    (vector.isPrefix || vector.policy.isUnfinished) &&
    compare(vector, readPrefix(vector.input, options), name) === undefined;
  return {
    wrong: isTold ? undefined : wrong,
    streamed: runStreamed(vector, options, whole, name),
  };
}

function runStreamed(
  vector: ToolCallVector,
  options: ReadOptions,
  whole: Reading,
  name: string,
): Difference[] {
  const chunkings = standardChunkings(vector.input, [1, 3], SEED);
  if (vector.chunks?.join('') === vector.input)
    chunkings.push({ name: 'its own chunks', chunks: vector.chunks });
  return chunkings.flatMap(({ name: chunking, chunks }) => {
    const streamed = readStreamed(chunks, options);
    const what = `${name}, streamed in ${chunking}`;
    const faults = streamed.faults.map((fault) => differ(vector, what, 'no fault', fault));
    const part = firstDifference(whole, streamed);
    if (part === undefined) return faults;
    return [differ(vector, `${part} ${what}`, whole[part], streamed[part]), ...faults];
  });
}

function optionsOf({ tools, isPrefix, policy }: ToolCallVector): ReadOptions {
  return {
    ...(tools === undefined ? {} : { tools }),
    ...(policy.startsInReasoning ? { startsInReasoning: true } : {}),
    reasoning: policy.keepsReasoningInText ? 'text' : 'separate',
    ...(policy.readsCallsInReasoning ? { callsInReasoning: 'read' } : {}),
    unknownTool: policy.unknownTool === 'text' ? 'text' : 'call',
    incompleteCalls: isPrefix || policy.cutCall !== 'text' ? 'call' : 'text',
  };
}

/** The calls that the vector's project would pass on. */
function passedOn({ forbidsCalls, tools, policy }: ToolCallVector, got: Reading): Reading['calls'] {
  if (forbidsCalls) return [];
  return got.calls.filter(({ name, complete }) => {
    if (policy.cutCall === 'dropped' && !complete) return false;
    return policy.unknownTool !== 'dropped' || tools?.some((tool) => tool.name === name) !== false;
  });
}

function contentOf({ expected, input }: ToolCallVector): string | undefined {
  return expected.content === undefined ? undefined : withoutPromptTag(expected.content, input);
}

function compare(vector: ToolCallVector, got: Reading, run: string): Difference | undefined {
  const { calls, reasoning } = vector.expected;
  const { policy } = vector;
  const content = contentOf(vector);
  const found = passedOn(vector, got);
  const isSame =
    found.length === calls.length &&
    calls.every((call, at) => {
      const other = found[at];
      if (other?.name !== call.name) return false;
      // An id the model did not write is one that project made up.
      if (call.id !== undefined && vector.input.includes(call.id) && call.id !== other.id)
        return false;
      return call.arguments === null || matches(call.arguments, other.arguments);
    });
  if (!isSame) {
    const shown = found.map(({ id, name, arguments: args }) => ({ name, arguments: args, id }));
    return differ(vector, `calls ${run}`, calls, shown);
  }
  const text = (policy.countsThoughts ? got.spoken : got.text).trim();
  const isLead = policy.keepsOnlyLead && content?.trim() === got.lead.trim();
  // Where calls are forbidden, some leave them in the text.
  const isInput = vector.forbidsCalls && content === vector.input;
  if (content !== undefined && content.trim() !== text && !isLead && !isInput)
    return differ(vector, `content ${run}`, content.trim(), text);
  if (reasoning !== undefined && reasoning.trim() !== got.reasoning.trim())
    return differ(vector, `reasoning ${run}`, reasoning.trim(), got.reasoning.trim());
  return undefined;
}

function differ({ id }: ToolCallVector, what: string, expected: unknown, got: unknown): Difference {
  return { id, what, expected, got };
}
