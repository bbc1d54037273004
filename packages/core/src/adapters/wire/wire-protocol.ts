import type { JsonObject } from '../../types.ts';
import type { AnswerContext } from '../reading/answer-reader.ts';
import type { MendOptions } from '../reading/mend-options.ts';
import type { PieceMender } from '../reading/mend-stream.ts';
import type { WireEvent } from './wire-event.ts';

/** What a server speaks at one path, and how its answers are mended in place. */
export interface WireProtocol {
  /** How the path ends. */
  readonly path: string;
  /** What a request offers; a request without tools is left alone, and so is its answer. */
  contextOf(body: JsonObject): AnswerContext;
  /** What is answered in place of the server, where its answer could not be mended; undefined where it can. */
  refuse?(body: JsonObject): JsonObject | undefined;
  /** The request with advice on the result that calls for it; the very same where none does. */
  advise(body: JsonObject, context: AnswerContext, options: MendOptions): JsonObject;
  /** A whole answer; the very same where nothing is wrong with it. */
  mend(answer: JsonObject, context: AnswerContext, options: MendOptions): JsonObject;
  /** Mends the events of a streamed answer. */
  openMender(context: AnswerContext, options: MendOptions): PieceMender<WireEvent>;
}
