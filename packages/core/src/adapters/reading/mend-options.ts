import { adviseConversation } from '../../advise/conversation/advise-conversation.ts';
import type { AdviseConversationOptions } from '../../advise/conversation/advise-conversation.ts';
import { callable, checkOptions, flag, object, oneOf, text } from '../../internal/check-options.ts';
import type { OptionRule } from '../../internal/check-options.ts';
import type { ParseOptions } from '../../parse/parse-options.ts';
import { ParserRegistry } from '../../parse/parser-registry.ts';
import type { MendEventListener } from './mend-event.ts';

type ReadOptions = Pick<
  ParseOptions,
  'format' | 'startsInReasoning' | 'reasoning' | 'callsInReasoning' | 'bareCalls' | 'nextId'
>;

/** How answers are read, and what is said to the model, whatever SDK they come through. */
export interface MendOptions extends ReadOptions {
  /** The parsers to use. @defaultValue all built-in ones */
  readonly registry?: ParserRegistry;
  /**
   * How the model is told what to do about calls that keep failing, on the result that failed; false for not
   * at all. @defaultValue {}
   */
  readonly advice?: AdviseConversationOptions | false;
  /** Told what was mended. What it throws is dropped: watching must not break an answer. */
  readonly onEvent?: MendEventListener;
}

export const MEND_RULES: Readonly<Record<keyof MendOptions, OptionRule>> = {
  format: text,
  startsInReasoning: oneOf(true, false, 'auto'),
  reasoning: oneOf('separate', 'text'),
  callsInReasoning: oneOf('if-unclosed', 'ignore', 'read'),
  bareCalls: flag,
  nextId: callable,
  registry: (value) => (value instanceof ParserRegistry ? undefined : 'a ParserRegistry'),
  advice: (value) => (value === false ? undefined : object(value) && 'options, or false'),
  onEvent: callable,
};

/** Throws on an option that does not exist or cannot have its value. */
export function checkMendOptions(
  options: object,
  of: string,
  rules: Readonly<Record<string, OptionRule>> = MEND_RULES,
): void {
  checkOptions(options, rules, of);
  const { advice } = options as MendOptions;
  // What is wrong with it shows now, and not with the first answer.
  if (advice !== undefined && advice !== false) adviseConversation([], advice);
}
