import { matches } from '../../scripts/conformance/matches.ts';
import { readExceptions } from '../../scripts/conformance/exceptions.ts';
import { runToolCall } from '../../scripts/conformance/run-tool-call.ts';
import { callReaders } from './call-readers.mjs';

export const about =
  'A call is right when its name and all its arguments are those expected; an answer, when all its calls are right, in their order, and there are no others. An answer without a call is right when none is found. Texts that end in the middle of a call are left out here. Of the first column of figures everybody has all answers, of the second only those in a format that the reader knows. Invented: answers for which a call was returned that is not among those expected.';

/** How often each reader finds the calls of the answers, and nothing else. */
export async function measureCalls(id, title, vectors) {
  const whole = vectors.filter(({ isPrefix, forbidsCalls = false }) => !isPrefix && !forbidsCalls);
  const exceptions = readExceptions();
  const rows = [];
  const results = [];
  for (const { name, can = () => true, read } of callReaders) {
    const counts = { right: 0, known: 0, knownRight: 0, invented: 0, failed: 0 };
    for (const vector of whole) {
      const isKnown = can(vector);
      const { calls, error } = isKnown ? attempt(read, vector) : { calls: [] };
      const isRight = isKnown && error === undefined && areRight(vector.expected.calls, calls);
      counts.right += Number(isRight);
      counts.known += Number(isKnown);
      counts.knownRight += Number(isRight && isKnown);
      counts.failed += Number(error !== undefined);
      counts.invented += Number(calls.some((call) => !isExpected(vector.expected.calls, call)));
    }
    results.push({ name, of: whole.length, ...counts });
    rows.push({
      cells: [
        name,
        share(counts.right, whole.length),
        share(counts.knownRight, counts.known),
        counts.invented,
        counts.failed,
      ],
    });
  }
  const columns = ['reader', 'all answers', 'in a format it knows', 'invented', 'threw'];
  const tables = [{ title: `${whole.length} answers, names and arguments`, columns, rows }];
  const strict = vectors.filter(({ shape }) => shape === 'tool-call');
  if (strict.length > 0) tables.push(strictTable(strict, exceptions));
  return { id, title, about, tables, results };
}

/** Calls, text, reasoning and every chunking, held against all that the vectors say; as `npm run conformance`. */
function strictTable(vectors, exceptions) {
  const outcomes = vectors.map((vector) => ({
    ...runToolCall(vector),
    isExcepted: exceptions.has(vector.id),
  }));
  const counted = outcomes.filter(({ isExcepted }) => !isExcepted);
  const told = counted.filter((one) => one.told !== undefined);
  const count = (all, key) => all.filter((one) => one[key] === true).length;
  return {
    title: `Ours, held against text, reasoning and chunks too (${vectors.length} vectors)`,
    columns: ['', 'told nothing', 'told the format', 'streamed as whole', 'left out by choice'],
    rows: [
      {
        cells: [
          'holdfast',
          share(count(counted, 'untold'), counted.length),
          share(count(told, 'told'), told.length),
          share(count(outcomes, 'streamed'), outcomes.length),
          outcomes.length - counted.length,
        ],
      },
    ],
  };
}

function attempt(read, vector) {
  try {
    return { calls: read(vector) };
  } catch (error) {
    return { calls: [], error };
  }
}

const isSame = (expected, call) =>
  expected.name === call.name && matches(expected.arguments, call.arguments);
const isExpected = (expected, call) => expected.some((one) => isSame(one, call));
const areRight = (expected, calls) =>
  expected.length === calls.length && expected.every((one, at) => isSame(one, calls[at]));

export function share(part, whole) {
  return whole === 0 ? '' : `${part} of ${whole} (${((100 * part) / whole).toFixed(1)} %)`;
}
