import { coerceBySchema } from '@ai-sdk-tool/parser/schema-coerce';
import { matches } from '../../scripts/conformance/matches.ts';
import { runValue } from '../../scripts/conformance/run-values.ts';
import { share } from './calls.mjs';

const about =
  'A value, a schema, and what a project that coerces values makes of them. They show what users of that project rely on and bind nobody: we invent nothing, so where a schema asks for what was not written, the value stays as it is.';

const readers = [
  { name: 'holdfast', isRight: (vector) => runValue(vector).verdict === 'exact' },
  {
    name: '@ai-sdk-tool/parser coerceBySchema',
    isRight: ({ input, schema, expected }) => matches(expected, coerceBySchema(input, schema)),
  },
  { name: 'as it is', isRight: ({ input, expected }) => matches(expected, input) },
];

export function measureValues(id, title, vectors) {
  const results = readers.map(({ name, isRight }) => ({
    name,
    of: vectors.length,
    exact: vectors.filter((vector) => holds(isRight, vector)).length,
  }));
  const rows = results.map(({ name, exact }) => ({ cells: [name, share(exact, vectors.length)] }));
  const columns = ['reader', 'as that project has it'];
  return {
    id,
    title,
    about,
    tables: [{ title: `${vectors.length} values`, columns, rows }],
    results,
  };
}

function holds(isRight, vector) {
  try {
    return isRight(vector);
  } catch {
    return false;
  }
}
