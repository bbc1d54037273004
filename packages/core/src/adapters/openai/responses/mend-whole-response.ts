import { isEqualJson } from '../../../internal/schema-equal.ts';
import type { JsonObject } from '../../../types.ts';
import type { AnswerContext } from '../../reading/answer-reader.ts';
import type { MendOptions } from '../../reading/mend-options.ts';
import { listOf } from '../../wire/json-fields.ts';
import { ResponseEventMender } from './response-event-mender.ts';

/** A whole response, its items read as a stream would tell them; the very same where nothing is wrong. */
export function mendWholeResponse(
  response: JsonObject,
  context: AnswerContext,
  options: MendOptions,
): JsonObject {
  const { status, output } = response;
  if (!Array.isArray(output) || UNFINISHED.has(status)) return response;
  const said = listOf(output);
  const mender = new ResponseEventMender(context, options);
  const mended = mender.readWhole(said, status === 'incomplete');
  const isSame = typeof status === 'string' && isEqualJson(mended, said);
  return isSame ? response : { status: 'completed', ...response, output: mended };
}

/** A response that failed, or is still made in the background, says nothing yet. */
const UNFINISHED: ReadonlySet<unknown> = new Set(['failed', 'cancelled', 'queued', 'in_progress']);
