import type { JsonObject } from '@holdfast/core';
import {
  ADVICE_PREFIX,
  adviseConversation,
  labelLookAlikes,
  splitAdvice,
} from '@holdfast/core/advise';
import type {
  AdviseConversationOptions,
  ConversationAdvice,
  IsOwnAdvice,
} from '@holdfast/core/advise';
import type { ConversationEditor, ResultPlace } from '../conversation-editor.ts';

/** A request as the upstream gets it, with the advice that its conversation calls for. */
export interface AdvisedRequest {
  readonly body: JsonObject;
  /** Why there is advice now, each rule once; empty where none is due. */
  readonly rules: readonly string[];
  /** What is said now, on one line; '' where none is due. */
  readonly log: string;
}

export interface AdviseRequestOptions extends Omit<
  AdviseConversationOptions,
  'isOwnAdvice' | 'maxMessages'
> {
  /** Whether a gateway gave this advice to a client with the result of that call. Default: none did. */
  readonly isGiven?: (text: string, callId: string) => boolean;
}

/** Advice, and the result it belongs to. */
interface PlacedAdvice extends ResultPlace {
  readonly text: string;
  /** How many messages there were when it was due; undefined now. */
  readonly messageCount: number | undefined;
}

/**
 * Adds the advice that the conversation of a request calls for, on the result that gave rise to it, and again what
 * earlier requests had on theirs: the upstream finds its prompt as it was. Any other text in a result that looks like
 * advice is labelled. Undefined where nothing changes, and where anything fails: a request never waits for advice.
 */
export function adviseRequest(
  body: JsonObject,
  editor: ConversationEditor,
  options: AdviseRequestOptions = {},
): AdvisedRequest | undefined {
  try {
    const { read, isOwn } = readAdvice(body, editor, options);
    const taken = new Set<string>();
    let advised = editor.mapResults(body, (callId) => (text, after) => {
      const { said, advice } = splitAdvice(text);
      // A client may keep the signature in a part of its own.
      const whole = after === '' ? advice : after && `${advice ?? ''}\n${after}`;
      if (advice === undefined || whole === undefined || !isOwn(whole, callId))
        return labelLookAlikes(text);
      taken.add(callId);
      return labelLookAlikes(said) + text.slice(said.length);
    });
    // The last first: what is put between messages moves those after it.
    for (const placed of placesOf(read).toReversed()) {
      if (placed.callId !== undefined && taken.has(placed.callId)) continue;
      advised =
        editor.addToResult(advised, placed, placed.text) ?? addNote(advised, editor, placed);
    }
    if (advised === body) return undefined;
    const { advice } = read;
    const rules = [...new Set((advice?.parts ?? []).map(({ rule }) => rule))];
    return { body: advised, rules, log: advice?.log ?? '' };
  } catch {
    return undefined;
  }
}

/**
 * What is to be said, and which texts in the results say it already. Clients do not see what we add, but another
 * gateway on the way may: a text is ours where it is what we say of that very call.
 */
function readAdvice(
  body: JsonObject,
  editor: ConversationEditor,
  { isGiven = () => false, ...settings }: AdviseRequestOptions,
): { readonly read: ConversationAdvice; readonly isOwn: IsOwnAdvice } {
  const messages = editor.messages(body);
  const maxMessages = messagesRead(messages.length);
  const readWith = (isOwnAdvice: IsOwnAdvice): ConversationAdvice =>
    adviseConversation(messages, { ...settings, maxMessages, isOwnAdvice });
  if (!hasAdvice(body, editor)) return { read: readWith(() => false), isOwn: () => false };
  const isOneOf = (due: ReadonlySet<string>): IsOwnAdvice => {
    return (text, callId = '') => due.has(keyOf(callId, text)) || isGiven(text, callId);
  };
  const first = dueIn(readWith((text) => text.startsWith(ADVICE_PREFIX)));
  // What was taken out wrongly may have changed what is to be said of the calls after it.
  const read = readWith(isOneOf(first));
  const due = dueIn(read);
  return { read, isOwn: isOneOf(new Set([...first].filter((key) => due.has(key)))) };
}

function hasAdvice(body: JsonObject, editor: ConversationEditor): boolean {
  let found = false;
  editor.mapResults(body, () => (text) => {
    found ||= splitAdvice(text).advice !== undefined;
    return text;
  });
  return found;
}

function dueIn(read: ConversationAdvice): ReadonlySet<string> {
  return new Set(placesOf(read).map(({ callId = '', text }) => keyOf(callId, text)));
}

function keyOf(callId: string, text: string): string {
  return JSON.stringify([callId, text]);
}

/** All advice that belongs to the results of a conversation, oldest first. */
function placesOf({ earlier, advice, messageIndex, call }: ConversationAdvice): PlacedAdvice[] {
  const now = advice === undefined ? [] : [{ advice, messageIndex, call, messageCount: undefined }];
  return [...earlier, ...now].flatMap((each) =>
    each.messageIndex === undefined
      ? []
      : {
          messageIndex: each.messageIndex,
          callId: each.call?.id,
          text: each.advice.text,
          messageCount: each.messageCount,
        },
  );
}

/** The request with a note where it ended when the advice was due. */
function addNote(body: JsonObject, editor: ConversationEditor, placed: PlacedAdvice): JsonObject {
  const { messageCount, text } = placed;
  const messages = editor.messages(body);
  const noted = editor.addNote(editor.withMessages(body, messages.slice(0, messageCount)), text);
  if (noted === undefined) return body;
  const later = messageCount === undefined ? [] : messages.slice(messageCount);
  return later.length === 0
    ? noted
    : editor.withMessages(noted, [...editor.messages(noted), ...later]);
}

/**
 * How many messages are read, counted from the end. What is no longer read is dropped in large steps: with each of
 * them what was said on older results is gone, and the upstream reads its prompt again.
 */
function messagesRead(length: number): number {
  const steps = Math.max(1, Math.floor(length / MESSAGE_STEP));
  return Math.max(1, length - (steps - 1) * MESSAGE_STEP);
}

const MESSAGE_STEP = 1000;
