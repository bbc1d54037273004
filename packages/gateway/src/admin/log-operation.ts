import { KEPT_LINES, logLineJson } from '../log/log-ring.ts';
import type { LogRing } from '../log/log-ring.ts';
import type { AdminOperation } from './admin-operation.ts';
import { fields, list, open, orNull, text, time } from './schema-words.ts';

/** The last lines of the log, oldest first. */
export function logOperation(logs: LogRing): AdminOperation {
  return {
    method: 'GET',
    path: '/api/v1/logs',
    id: 'list_logs',
    summary: 'The last lines of the log, oldest first, of the levels that are logged.',
    query: {
      limit: {
        type: 'integer',
        minimum: 1,
        maximum: KEPT_LINES,
        description: 'How many. 200 without it.',
      },
    },
    gives: fields({
      lines: list(fields({ at: orNull(time), level: orNull(text), message: text, fields: open })),
    }),
    run: ({ query }) => {
      const limit = Number(query['limit'] ?? 200);
      return { lines: logs.after(logs.lastSeq - limit, limit).map(logLineJson) };
    },
  };
}
