import { hashText } from '../../internal/hash-text.ts';
import { spellingOf } from '../../internal/tool-names.ts';
import type { AdvisedCall } from '../advised-call.ts';
import type { Classification, ToolKind, ToolResult } from '../classification.ts';
import { canonicalArguments } from './canonical-arguments.ts';
import { canonicalCommand } from './canonical-command.ts';
import { normaliseResult } from './normalise-result.ts';

/** What a model writes to itself; it changes nothing of what a call does. */
const THOUGHTS: ReadonlySet<string> = new Set(['thought', 'thoughts', 'reasoning', 'explanation']);

/** Shells take a description for the person who watches. */
const SHELL_THOUGHTS: ReadonlySet<string> = new Set([...THOUGHTS, 'description']);

/** The arguments that hold a command, by name. */
export const COMMAND_KEYS: readonly string[] = ['command', 'cmd', 'code', 'script', 'input'];

/** The same for calls that do the same: tool and arguments, whatever the order of keys. */
export function hashCall(call: AdvisedCall, kind: ToolKind, ignored: readonly string[]): string {
  const own = kind === 'shell' ? SHELL_THOUGHTS : THOUGHTS;
  const left = ignored.length === 0 ? own : new Set([...own, ...ignored]);
  const written = canonicalArguments(call.arguments ?? {}, left, (key, text) =>
    kind === 'shell' && COMMAND_KEYS.includes(key) ? canonicalCommand(text) : text,
  );
  return hashText(`${spellingOf(call.tool)} ${written}`);
}

/** What is read of a result from either end. Of a longer one its length counts too. */
const RESULT_END = 16_384;

/** The id of a new record: `{"id": 7}`, `"order_id": 12446`. */
const NEW_ID = /("(?:\w{1,40}_)?id": ?)(?:\d{1,20}|"[\w-]{1,64}")/gi;

/**
 * The same for results that say the same; '' when nothing is known of the result. Of a call that creates something,
 * each result has an id of its own: that alone is nothing new.
 */
export function hashResult(
  result: ToolResult | undefined,
  classification: Classification,
  creates = false,
): string {
  const text = result?.output;
  if (text === undefined && classification.evidence === '') return '';
  const outcome = `${classification.status} ${result?.exitCode ?? ''} ${result?.status ?? ''} `;
  const said = boundedResult(text ?? classification.evidence);
  return hashText(outcome + (creates ? said.replace(NEW_ID, '$1<id>') : said));
}

function boundedResult(text: string): string {
  if (text.length <= 2 * RESULT_END) return normaliseResult(text);
  const head = normaliseResult(text.slice(0, RESULT_END));
  return `${head}…${text.length}…${normaliseResult(text.slice(-RESULT_END))}`;
}

/** The same for failures that are the same error, however often its times and ids differ. */
export function hashError(tool: string, classification: Classification): string {
  const line = normaliseResult(classification.evidence).toLowerCase().replace(/\s+/g, ' ');
  return hashText(`${tool} ${classification.type ?? ''} ${line}`);
}
