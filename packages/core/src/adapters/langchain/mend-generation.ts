import { recordsIn, textIn } from '../../advise/conversation/record.ts';
import type { UnknownRecord } from '../../advise/conversation/record.ts';
import { withCallBlocks } from './call-blocks.ts';
import type { ContentReader, FoundCall } from './content-reader.ts';
import { finishIn, isCutBy, toldOfCalls } from './finish-reason.ts';
import { isMadeOfChunks, recordIn, remake, typeOf } from './lc-message.ts';
import type { LcMessage } from './lc-message.ts';
import { isForeign, nativeCallsOf } from './native-calls.ts';

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
  const isCut = isCutBy(finishIn(info, told, kwargs));
  reader.noteReasoning(kwargs['reasoning_content']);
  const native = nativeCallsOf(message);
  const { content, reasoning, calls } = reader.read(message['content'], { isCut, native });
  if (!reader.isMended && content === message['content']) return generation;
  const hasCalls = calls.length > 0;
  const mended = remake(message, {
    content: withCallBlocks(content, calls, isAnthropic),
    ...(isMadeOfChunks(message)
      ? {
          tool_call_chunks: [...foreignIn(message), ...calls.map(callChunk)],
          tool_calls: undefined,
        }
      : { tool_calls: calls.map(toolCall) }),
    invalid_tool_calls: [],
    additional_kwargs: toldOfCalls(withReasoning(withoutRawCalls(kwargs), reasoning), hasCalls),
    response_metadata: toldOfCalls(withoutRawOutput(told), hasCalls),
  });
  return {
    ...generation,
    text: plainText(content),
    message: mended,
    ...(info !== undefined && { generationInfo: toldOfCalls(info, hasCalls) }),
  };
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
