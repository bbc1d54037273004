import type { JsonObject, JsonValue } from '@holdfast/core';
import type { TurnCall } from './turn/turn-event.ts';

/** A result in a conversation, as `adviseConversation` tells where it is. */
export interface ResultPlace {
  /** Which of the messages it is in. */
  readonly messageIndex: number;
  /** The id of the call it answers; undefined where the messages have none. */
  readonly callId: string | undefined;
}

/**
 * For the result of a call, makes another text of each of its texts; `after` is the text of the part after it, ''
 * where there is none, and undefined where there are several. The id is '' where the messages have none.
 */
export type MapResultText = (callId: string) => (text: string, after: string | undefined) => string;

/** An answer of which a call does not fit the schema of its tool. */
export interface UnfitAnswer {
  readonly text: string;
  /** All calls of the answer, those that fit too, in order. */
  readonly calls: readonly TurnCall[];
  /** Why the answer is not taken, in words for the model, by the index of the call. */
  readonly results: readonly string[];
}

/** Reads and changes the conversation of a request, in the protocol that the client speaks. */
export interface ConversationEditor {
  /** The messages or items, oldest first. */
  messages(body: JsonObject): readonly JsonValue[];
  /** The request with these messages or items. */
  withMessages(body: JsonObject, messages: readonly JsonValue[]): JsonObject;
  /** The request with other texts in the results that clients write; the same request where no text is another. */
  mapResults(body: JsonObject, map: MapResultText): JsonObject;
  /** The request with a text behind a result of its own; undefined where there is no such result. */
  addToResult(body: JsonObject, place: ResultPlace, text: string): JsonObject | undefined;
  /** The request with a text at its end that no result of its own can carry; undefined where there is no room. */
  addNote(body: JsonObject, text: string): JsonObject | undefined;
  /** The request with a turn that was not taken, and why, behind it. */
  addUnfitAnswer(body: JsonObject, answer: UnfitAnswer): JsonObject;
}
