import type { ToolCall, ToolDefinition } from '@holdfast/core';
import {
  parseToolCalls,
  RENDER_FORMATS,
  renderToolCall,
  renderToolPrompt,
} from '@holdfast/core/parse';
import type { RenderableCall } from '@holdfast/core/parse';
import { chatBodyOf, chatStreamOf } from './chat-stream-of.ts';
import type { ScriptedAnswer } from './scripted-answer.ts';
import { errorAnswer } from './scripted-answer.ts';
import type { Script } from './scripted-upstream.ts';

const text = { type: 'string' } as const;

/** What the task takes, described at such a length that a count of tokens shows whether the model was told. */
export const TASK_TOOLS: readonly ToolDefinition[] = [
  {
    name: 'list_files',
    description:
      'Lists the files of a folder, one a line, with the name of the folder in front of each. Folders within it are listed too.',
    parameters: { type: 'object', properties: { folder: text }, required: ['folder'] },
  },
  {
    name: 'read_file',
    description:
      'Reads a text file as it is on the disk, up to its end. Use it before you change or quote a file you have not seen yet.',
    parameters: { type: 'object', properties: { path: text }, required: ['path'] },
  },
  {
    name: 'write_file',
    description:
      'Writes a text file, and makes the folders that it needs. What was in the file before is replaced by the new content.',
    parameters: {
      type: 'object',
      properties: { path: text, content: text },
      required: ['path', 'content'],
    },
  },
];

/** The calls of the task. Each uses what the one before gave, so that none can be made without its result. */
export const TASK_CALLS: readonly RenderableCall[] = [
  { name: 'list_files', arguments: { folder: 'notes' } },
  { name: 'read_file', arguments: { path: 'result 1 of list_files' } },
  {
    name: 'write_file',
    arguments: { path: 'summary.md', content: '# "Sum" of\nresult 2 of read_file: {a} <b> \\c' },
  },
];

/** What the model says when the task is done. */
export const TASK_DONE = 'The summary is written: result 3 of write_file';

/**
 * A server whose model has no tools: a request that has any is refused as Ollama refuses it, or, for a model
 * whose name begins with `ignores`, read without them; one whose turns do not alternate is refused too. The
 * model knows what its prompt tells, calls in the dialect it was told, and
 * takes its next step only when it sees the result of the one before.
 */
export const promptedModel: Script = ({ json }) => {
  const { model, messages, stream = false, ...fields } = json as ModelRequest;
  if (model.startsWith('ignores') && 'tools' in fields) return say(NO_TOOLS, stream);
  if (Object.keys(fields).some((field) => /tool|function/.test(field)))
    return errorAnswer(400, {}, `registry.ollama.ai/library/${model} does not support tools`);
  const problem = problemOf(messages);
  if (problem !== undefined) return errorAnswer(400, {}, problem);
  return say(nextWords(messages), stream);
};

/** What a model says that is asked to use tools nobody told it of. */
export const NO_TOOLS = 'I cannot see your files.';

interface ModelRequest {
  readonly model: string;
  readonly messages: readonly Message[];
  readonly stream?: boolean;
}

interface Message {
  readonly role: string;
  readonly content: unknown;
}

/** What a chat template without tools cannot take. */
function problemOf([system, ...turns]: readonly Message[]): string | undefined {
  if (system?.role !== 'system') return 'no system message';
  for (const [at, message] of turns.entries()) {
    if (message.role !== (at % 2 === 0 ? 'user' : 'assistant'))
      return 'Conversation roles must alternate user/assistant/user/assistant/...';
    if (Object.keys(message).join() !== 'role,content' || typeof message.content !== 'string')
      return `a message that is not only text: ${JSON.stringify(message)}`;
  }
  return undefined;
}

function nextWords(messages: readonly Message[]): string {
  const prompt = String(messages[0]?.content);
  const format = RENDER_FORMATS.find((each) => prompt.includes(renderToolPrompt(TASK_TOOLS, each)));
  if (format === undefined) return `I know of no tools. My prompt is: ${prompt}`;
  const made = messages
    .filter(({ role }) => role === 'assistant')
    .flatMap((said) => callsIn(said, format));
  const next = TASK_CALLS[made.length];
  const before = made.at(-1);
  const heard = String(messages.at(-1)?.content);
  if (before !== undefined && !heard.includes(`result ${made.length} of ${before.name}`))
    return `I called ${before.name}, and heard only: ${heard}`;
  return next === undefined ? TASK_DONE : renderToolCall(next, format);
}

function callsIn({ content }: Message, format: string): readonly ToolCall[] {
  return parseToolCalls(String(content), { format, tools: TASK_TOOLS }).calls;
}

function say(words: string, isStream: boolean): ScriptedAnswer {
  return { body: isStream ? chatStreamOf(words, { cut: 5 }) : chatBodyOf(words) };
}
