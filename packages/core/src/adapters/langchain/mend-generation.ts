import { recordsIn, textIn } from '../../advise/conversation/record.ts';
import type { UnknownRecord } from '../../advise/conversation/record.ts';
import type { AnswerCall, NativeCall } from '../reading/answer-call.ts';
import type { ContentReader } from './content-reader.ts';
import { finishIn, isCutBy, toldOfCalls } from './finish-reason.ts';
import { recordIn, remake, typeOf } from './lc-message.ts';

/** A whole answer with its calls where LangChain looks for them; the very same where nothing was to be done. */
export function mendGeneration(generation: UnknownRecord, reader: ContentReader): UnknownRecord {
  const message = recordIn(generation['message']);
  if (typeOf(message) !== 'ai') return generation;
  const kwargs = recordIn(message['additional_kwargs']);
  const info = generation['generationInfo'];
  const told = message['response_metadata'];
  const isCut = isCutBy(finishIn(info, told, kwargs));
  const given = recordsIn(message['tool_calls']);
  const broken = recordsIn(message['invalid_tool_calls']);
  reader.noteReasoning(kwargs['reasoning_content']);
  const native = [...given, ...broken].map(nativeOf);
  const { content, reasoning, calls } = reader.read(message['content'], { isCut, native });
  const isSame = content === message['content'] && reasoning === '' && broken.length === 0;
  if (
    isSame &&
    calls.length === given.length &&
    calls.every((call, at) => isAsGiven(call, given[at]))
  )
    return generation;
  const mended = remake(message, {
    content,
    tool_calls: calls.map(({ id, name, arguments: args }) => ({
      type: 'tool_call',
      id,
      name,
      args,
    })),
    invalid_tool_calls: [],
    additional_kwargs: withReasoning(withoutRawCalls(kwargs), reasoning),
    response_metadata: calls.length > 0 ? toldOfCalls(told) : told,
  });
  return {
    ...generation,
    text: plainText(content),
    message: mended,
    ...(calls.length > 0 && info !== undefined && { generationInfo: toldOfCalls(info) }),
  };
}

/** What providers sent of the calls themselves: it would say what they said before. */
export function withoutRawCalls(kwargs: UnknownRecord): UnknownRecord {
  const { tool_calls: _raw, ...others } = kwargs;
  return others;
}

/** Reasoning has its place beside the content, as DeepSeek's and Ollama's integrations have it. */
export function withReasoning(kwargs: UnknownRecord, reasoning: string): UnknownRecord {
  if (reasoning === '') return kwargs;
  const before = textIn(kwargs['reasoning_content']) ?? '';
  return { ...kwargs, reasoning_content: before + reasoning };
}

function nativeOf({ id, name, args }: UnknownRecord): NativeCall {
  return {
    id: textIn(id) ?? '',
    name: textIn(name) ?? '',
    json: typeof args === 'string' ? args : JSON.stringify(args ?? {}),
  };
}

function isAsGiven({ id, name, json }: AnswerCall, given: UnknownRecord | undefined): boolean {
  return id === given?.['id'] && name === given['name'] && json === JSON.stringify(given['args']);
}

/** The text of a content, as generations have it beside their message. */
export function plainText(content: unknown): string {
  if (typeof content === 'string') return content;
  return recordsIn(content)
    .map(({ text }) => textIn(text) ?? '')
    .join('');
}
