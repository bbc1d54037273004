import type { History } from '../history/history.ts';
import { HISTORY_KINDS } from '../history/history-kind.ts';
import { formatPlace, readPlace } from '../history/history-place.ts';
import { RequestError } from '../http/request-error.ts';
import type { AdminOperation } from './admin-operation.ts';
import { list, open, orNull, said, text } from './schema-words.ts';

const MOST_RECORDS = 500;
const USUAL_RECORDS = 50;

const HISTORY: Omit<AdminOperation, 'run'> = {
  method: 'GET',
  path: '/api/v1/history',
  id: 'list_history',
  summary:
    'What is kept on disk of requests, failures and transitions, also of earlier runs; newest first.',
  query: {
    kind: {
      type: 'string',
      enum: HISTORY_KINDS,
      description: 'What to tell of. requests without it.',
    },
    before: said(text, 'Only what is older: next_before of the answer before.'),
    limit: {
      type: 'integer',
      minimum: 1,
      maximum: MOST_RECORDS,
      description: `How many. ${USUAL_RECORDS} without it.`,
    },
  },
  gives: {
    type: 'object',
    properties: {
      kind: { enum: HISTORY_KINDS },
      records: said(list(open), 'Each with at, source, and what was known of it; without texts.'),
      next_before: said(orNull(text), 'Null where nothing is older.'),
      problem: said(orNull(text), 'Why nothing can be written at the moment.'),
    },
    required: ['kind', 'records', 'next_before', 'problem'],
    additionalProperties: false,
  },
  errors: { 404: 'No history is kept.' },
};

/** Stands where the history is asked for while none is kept. */
export const NO_HISTORY: AdminOperation = {
  ...HISTORY,
  run: () => {
    throw new RequestError(
      404,
      'not-found',
      'no history is kept: observe.history is false, or --no-history was given',
    );
  },
};

/** What a history knows, page by page. */
export function historyOperation(history: History): AdminOperation {
  return {
    ...HISTORY,
    run: async ({ query }) => {
      const kind = HISTORY_KINDS.find((each) => each === query['kind']) ?? 'requests';
      const limit = Number(query['limit'] ?? USUAL_RECORDS);
      const before = placeOf(query['before']);
      // One more tells whether there is another page.
      const found = await history
        .query({ kind, limit: limit + 1, ...(before && { before }) })
        .catch((error: unknown) => {
          const reason = error instanceof Error ? error.message : String(error);
          throw new RequestError(500, 'internal', `the history cannot be read: ${reason}`);
        });
      const records = found.slice(0, limit);
      const last = found.length > limit ? records.at(-1) : undefined;
      return {
        kind,
        records: records.map(({ place, about }) => ({
          at: new Date(place.at).toISOString(),
          ...about,
        })),
        next_before: last === undefined ? null : formatPlace(last.place),
        problem: history.problem ?? null,
      };
    },
  };
}

function placeOf(before: string | number | boolean | undefined): ReturnType<typeof readPlace> {
  if (before === undefined) return undefined;
  const place = readPlace(String(before));
  if (place !== undefined) return place;
  throw new RequestError(
    400,
    'invalid-request',
    `?before: expected next_before of an earlier answer, got ${JSON.stringify(String(before).slice(0, 40))}`,
  );
}
