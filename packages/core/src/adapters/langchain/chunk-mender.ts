import { recordsIn, textIn } from '../../advise/conversation/record.ts';
import type { UnknownRecord } from '../../advise/conversation/record.ts';
import type { NativeCall } from '../reading/answer-call.ts';
import type { ContentReader, Found } from './content-reader.ts';
import { finishIn, isCutBy, toldOfCalls } from './finish-reason.ts';
import { construct, recordIn, remake, typeOf } from './lc-message.ts';
import { plainText, withoutRawCalls, withReasoning } from './mend-generation.ts';

/**
 * Mends a streamed answer. LangChain makes calls of whatever arguments have come, so that one which breaks off
 * would run with half of them; here calls that the provider streams are told when the answer is over.
 */
export class ChunkMender {
  readonly #reader: ContentReader;
  readonly #native = new Map<string, NativeCall>();
  #last: UnknownRecord | undefined;
  #isOver = false;
  #callCount = 0;

  constructor(reader: ContentReader) {
    this.#reader = reader;
  }

  /** What a chunk becomes: one chunk, the very same where it needs no change. */
  read(chunk: UnknownRecord): UnknownRecord {
    const message = recordIn(chunk['message']);
    if (this.#isOver || typeOf(message) !== 'ai') return chunk;
    this.#last = chunk;
    const kwargs = recordIn(message['additional_kwargs']);
    this.#reader.noteReasoning(kwargs['reasoning_content']);
    const fragments = recordsIn(message['tool_call_chunks']);
    for (const fragment of fragments) this.#collect(fragment);
    const reason = finishIn(chunk['generationInfo'], message['response_metadata'], kwargs);
    const found = this.#read(
      message['content'],
      reason === undefined ? undefined : isCutBy(reason),
    );
    const isSame = found.content === message['content'] && found.reasoning === '';
    if (isSame && found.calls.length === 0 && fragments.length === 0 && reason === undefined)
      return chunk;
    return this.#remake(chunk, message, found, withoutRawCalls(kwargs));
  }

  /** The source is over. What was held back, if its last chunk did not say so already. */
  end(isBroken: boolean): UnknownRecord | undefined {
    const last = this.#last;
    if (this.#isOver || last === undefined) return undefined;
    // Nobody said how the answer ended: calls whose arguments had not begun may be cut.
    const found = this.#read('', isBroken, true);
    if (found.content === '' && found.reasoning === '' && found.calls.length === 0)
      return undefined;
    const { id, constructor } = recordIn(last['message']);
    const bare = { content: '', id, constructor, additional_kwargs: {}, response_metadata: {} };
    return this.#remake({ constructor: last.constructor }, bare, found, {});
  }

  #read(content: unknown, isCut: boolean | undefined, isUnsaid = false): Found {
    if (isCut === undefined) return this.#reader.read(content);
    this.#isOver = true;
    const native = [...this.#native.values()].filter(({ json }) => !isUnsaid || json.trim() !== '');
    return this.#reader.read(content, { isCut, native });
  }

  #collect({ index, id, name, args }: UnknownRecord): void {
    const key = typeof index === 'number' ? `${index}` : (textIn(id) ?? `${this.#native.size}`);
    const before = this.#native.get(key) ?? { id: '', name: '', json: '' };
    this.#native.set(key, {
      id: before.id === '' ? (textIn(id) ?? '') : before.id,
      name: before.name === '' ? (textIn(name) ?? '') : before.name,
      json: before.json + (textIn(args) ?? ''),
    });
  }

  #remake(
    chunk: UnknownRecord | { readonly constructor: unknown },
    message: UnknownRecord,
    { content, reasoning, calls }: Found,
    kwargs: UnknownRecord,
  ): UnknownRecord {
    const first = this.#callCount;
    this.#callCount += calls.length;
    const isOfCalls = this.#isOver && this.#callCount > 0;
    const told = message['response_metadata'];
    const mended = remake(message, {
      content,
      tool_calls: undefined,
      invalid_tool_calls: undefined,
      tool_call_chunks: calls.map(({ id, name, json }, at) => ({
        type: 'tool_call_chunk',
        index: first + at,
        id,
        name,
        args: json,
      })),
      additional_kwargs: withReasoning(kwargs, reasoning),
      response_metadata: isOfCalls ? toldOfCalls(told) : told,
    });
    const info = 'generationInfo' in chunk ? chunk['generationInfo'] : undefined;
    return construct(chunk, {
      message: mended,
      text: plainText(content),
      generationInfo: isOfCalls ? toldOfCalls(info) : info,
    });
  }
}
