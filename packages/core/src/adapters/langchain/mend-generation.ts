import { isRecord, recordIn, recordsIn, textIn } from '../../advise/conversation/record.ts';
import type { UnknownRecord } from '../../advise/conversation/record.ts';
import { answerBrokeOff } from '../wire/answer-broke-off.ts';
import { withCallBlocks } from './call-blocks.ts';
import type { ContentReader, FoundCall } from './content-reader.ts';
import { finishIn, isCutBy, toldOfCalls } from './finish-reason.ts';
import { isMadeOfChunks, remake, typeOf } from './lc-message.ts';
import type { LcMessage } from './lc-message.ts';
import { isCutOff, isForeign, nativeCallsOf } from './native-calls.ts';

/** A whole answer with its calls where LangChain looks for them; the very same where nothing was to be done. */
export function mendGeneration(
  generation: UnknownRecord,
  reader: ContentReader,
  isAnthropic: boolean,
): UnknownRecord {
  const message = recordIn(generation['message']);
  if (typeOf(message) !== 'ai') return generation;
  const kwargs = recordIn(message['additional_kwargs']);
  const info = generation['generationInfo'];
  const told = message['response_metadata'];
  const reason = finishIn(info, told, kwargs);
  reader.noteReasoning(kwargs['reasoning_content']);
  const native = nativeCallsOf(message);
  const isCut = isCutBy(reason);
  const { content, reasoning, calls } = reader.read(message['content'], { isCut, native });
  // A stream that the integration put together, and of which nobody said that it ended.
  const isUnsaid = isMadeOfChunks(message) && reason === undefined;
  if (isUnsaid && (reader.endsInCall || native.some(isCutOff))) throw answerBrokeOff();
  const hasCalls = calls.length > 0;
  const isMended = reader.isMended || content !== message['content'] || !isReadable(message);
  const ended = {
    info: toldOfCalls(info, hasCalls),
    told: toldOfCalls(told, hasCalls),
    kwargs: toldOfCalls(kwargs, hasCalls),
  };
  if (!isMended && ended.info === info && ended.told === told && ended.kwargs === kwargs)
    return generation;
  const changes = !isMended
    ? { additional_kwargs: ended.kwargs, response_metadata: ended.told }
    : {
        content: withCallBlocks(content, calls, isAnthropic),
        ...callsFor(message, calls),
        additional_kwargs: withReasoning(withoutRawCalls(ended.kwargs), reasoning),
        response_metadata: withoutRawOutput(ended.told),
      };
  return {
    ...generation,
    text: plainText(content),
    message: remake(message, changes),
    ...(info !== undefined && { generationInfo: ended.info }),
  };
}

/** Whether LangChain could read the calls: all are objects. */
function isReadable(message: LcMessage): boolean {
  const { tool_calls: calls, invalid_tool_calls: invalid } = message;
  return recordsIn(invalid).length === 0 && recordsIn(calls).every(({ args }) => isRecord(args));
}

/** The calls in the fields that a message has for them. */
function callsFor(message: LcMessage, calls: readonly FoundCall[]): object {
  if (!isMadeOfChunks(message)) return { tool_calls: calls.map(toolCall), invalid_tool_calls: [] };
  const chunks = [...foreignIn(message), ...calls.map(callChunk)];
  return { tool_call_chunks: chunks, tool_calls: undefined, invalid_tool_calls: undefined };
}

function foreignIn(message: LcMessage): readonly UnknownRecord[] {
  return recordsIn(message['tool_call_chunks']).filter(isForeign);
}

function toolCall({ id, name, arguments: args, fields }: FoundCall): object {
  return { ...fields, type: 'tool_call', id, name, args };
}

/** A call as chunks have it, in one piece. */
export function callChunk({ id, name, json, fields }: FoundCall, index: number): object {
  return { ...fields, type: 'tool_call_chunk', index, id, name, args: json };
}

/** What providers sent of the calls themselves: it would say what they said before. */
export function withoutRawCalls(kwargs: UnknownRecord): UnknownRecord {
  const { tool_calls: _raw, ...others } = kwargs;
  return others;
}

/** The items that OpenAI's Responses sent: its integration would send them back in place of the message. */
export function withoutRawOutput(told: unknown): unknown {
  const { output, ...others } = recordIn(told);
  return Array.isArray(output) ? others : told;
}

/** Reasoning has its place beside the content, as DeepSeek's and Ollama's integrations have it. */
export function withReasoning(kwargs: UnknownRecord, reasoning: string): UnknownRecord {
  if (reasoning === '') return kwargs;
  const before = textIn(kwargs['reasoning_content']) ?? '';
  return { ...kwargs, reasoning_content: before + reasoning };
}

/** The text of a content, as generations have it beside their message. */
export function plainText(content: unknown): string {
  if (typeof content === 'string') return content;
  return recordsIn(content)
    .map(({ text }) => textIn(text) ?? '')
    .join('');
}
