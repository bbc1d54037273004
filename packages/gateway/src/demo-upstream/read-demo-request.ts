import type { ToolDefinition } from '@holdfast/core';
import { toolDefinitions } from '@holdfast/core/parse';

/** What the demo upstream understands of a Chat Completions request. */
export interface DemoRequest {
  readonly model: string;
  readonly isStream: boolean;
  readonly wantsUsage: boolean;
  readonly maxTokens: number;
  /** The tools it may call; none where the request forbids it. */
  readonly tools: readonly ToolDefinition[];
  /** What the answer is to. */
  readonly last: { readonly role: 'user' | 'tool'; readonly text: string };
  readonly promptCharacters: number;
}

/** Reads a request; undefined where it is none. */
export function readDemoRequest(text: string): DemoRequest | undefined {
  const body = parse(text);
  if (!isObject(body) || !Array.isArray(body['messages'])) return undefined;
  const options = body['stream_options'];
  const limit = body['max_completion_tokens'] ?? body['max_tokens'];
  return {
    model: typeof body['model'] === 'string' ? body['model'] : '',
    isStream: body['stream'] === true,
    wantsUsage: isObject(options) && options['include_usage'] === true,
    maxTokens: typeof limit === 'number' ? limit : Infinity,
    tools: toolsFor(toolDefinitions(body['tools'] ?? [], 'skip'), body['tool_choice']),
    last: lastOf(body['messages']),
    promptCharacters: text.length,
  };
}

function toolsFor(tools: readonly ToolDefinition[], choice: unknown): readonly ToolDefinition[] {
  if (choice === 'none') return [];
  const wanted = isObject(choice) && isObject(choice['function']) ? choice['function']['name'] : '';
  const named = tools.filter(({ name }) => name === wanted);
  return named.length > 0 ? named : tools;
}

/** System messages may follow what was said. */
function lastOf(messages: readonly unknown[]): DemoRequest['last'] {
  for (const message of messages.toReversed()) {
    if (!isObject(message)) continue;
    const { role, content } = message;
    if (role === 'user' || role === 'tool') return { role, text: textOf(content) };
  }
  return { role: 'user', text: '' };
}

/** The last part that was written by a person: agents put notes of their own before it. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return withoutNotes(content);
  if (!Array.isArray(content)) return '';
  const texts = content
    .map((part: unknown) =>
      isObject(part) && typeof part['text'] === 'string' ? part['text'] : '',
    )
    .map(withoutNotes);
  return texts.findLast((text) => text !== '') ?? '';
}

/** What agents put around their notes: Claude Code the first, Codex the second. */
const NOTES = ['system-reminder', 'environment_context'];

function withoutNotes(text: string): string {
  return NOTES.reduce(withoutNote, text).trim();
}

function withoutNote(text: string, name: string): string {
  const [opening, closing] = [`<${name}>`, `</${name}>`];
  let rest = text;
  for (let from = rest.indexOf(opening); from >= 0; from = rest.indexOf(opening)) {
    const end = rest.indexOf(closing, from);
    rest = rest.slice(0, from) + (end < 0 ? '' : rest.slice(end + closing.length));
  }
  return rest;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
