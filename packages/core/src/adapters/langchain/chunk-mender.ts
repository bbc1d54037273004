import { recordIn, recordsIn } from '../../advise/conversation/record.ts';
import type { UnknownRecord } from '../../advise/conversation/record.ts';
import { ChatCallFragments } from '../openai/chat/chat-call-fragments.ts';
import type { FragmentedCall } from '../openai/chat/chat-call-fragments.ts';
import { toolUse, withoutCallBlocks } from './call-blocks.ts';
import type { ContentReader, Found } from './content-reader.ts';
import { finishIn, finishOf, isCutBy, toldOfCalls } from './finish-reason.ts';
import { construct, remake, typeOf } from './lc-message.ts';
import type { LcMessage } from './lc-message.ts';
import {
  callChunk,
  plainText,
  withoutRawCalls,
  withoutRawOutput,
  withReasoning,
} from './mend-generation.ts';
import { addFragment, isCutOff, isForeign, itemCallsIn, wholeCallsOf } from './native-calls.ts';

/**
 * Mends a streamed answer. LangChain makes calls of whatever arguments have come, so that one which breaks off
 * would run with half of them; here calls that the provider streams are told when the answer is over.
 */
export class ChunkMender {
  readonly #reader: ContentReader;
  readonly #isAnthropic: boolean;
  readonly #fragments = new ChatCallFragments();
  readonly #whole: FragmentedCall[] = [];
  /** Places of calls that pass as they are, by the index that the provider gives them. */
  readonly #foreign = new Map<unknown, number>();
  #last: UnknownRecord | undefined;
  #isOver = false;
  #isBroken = false;
  #callCount = 0;

  constructor(reader: ContentReader, isAnthropic: boolean) {
    this.#reader = reader;
    this.#isAnthropic = isAnthropic;
  }

  /** Whether the answer ended inside a call, and nobody said that it ended. */
  get isBroken(): boolean {
    return this.#isBroken;
  }

  /** What a chunk becomes: one chunk, the very same where it needs no change. */
  read(chunk: UnknownRecord): UnknownRecord {
    const message = recordIn(chunk['message']);
    if (this.#isOver || typeOf(message) !== 'ai') return chunk;
    this.#last = chunk;
    const kwargs = recordIn(message['additional_kwargs']);
    this.#reader.noteReasoning(kwargs['reasoning_content']);
    const { hasCalls, foreign } = this.#collect(message);
    const { content } = message;
    const said = this.#isAnthropic ? withoutCallBlocks(content) : content;
    const reason = finishIn(chunk['generationInfo'], message['response_metadata'], kwargs);
    const found =
      reason === undefined
        ? this.#reader.read(said)
        : this.#readLast(said, isCutBy(reason), itemCallsIn(message['response_metadata']));
    const isSame = found.content === content && found.reasoning === '' && !hasCalls;
    if (isSame && found.calls.length === 0 && reason === undefined) return chunk;
    return this.#remake(chunk, message, found, foreign);
  }

  /** The source is over: what was held back, if its last chunk did not say so already. */
  end(how: 'over' | 'broken'): UnknownRecord | undefined {
    const last = this.#last;
    if (this.#isOver || last === undefined) return undefined;
    const isCut = how === 'broken' || this.#fragments.calls.some(isCutOff);
    const { id, content, constructor } = recordIn(last['message']);
    const nothing = Array.isArray(content) ? [] : '';
    const found = this.#readLast(nothing, isCut, []);
    this.#isBroken = isCut || this.#reader.endsInCall;
    const isSame = found.content === nothing && found.reasoning === '';
    if (isSame && found.calls.length === 0) return undefined;
    const bare = { id, constructor, additional_kwargs: {}, response_metadata: {} };
    return this.#remake({ constructor: last.constructor }, bare, found, []);
  }

  #readLast(content: unknown, isCut: boolean, items: readonly FragmentedCall[]): Found {
    this.#isOver = true;
    const streamed = [...this.#fragments.calls, ...this.#whole];
    const native = items.length >= streamed.length ? items : streamed;
    return this.#reader.read(content, { isCut, native });
  }

  /** Takes the calls of a chunk. Those that pass as they are get places among all that are told. */
  #collect(message: LcMessage): {
    readonly hasCalls: boolean;
    readonly foreign: readonly UnknownRecord[];
  } {
    const fragments = recordsIn(message['tool_call_chunks']);
    const foreign = fragments.filter(isForeign).map((fragment) => this.#placed(fragment));
    for (const fragment of fragments)
      if (!isForeign(fragment)) addFragment(this.#fragments, fragment);
    // Integrations that know only whole calls need not have chunks of them.
    const whole = fragments.length === 0 ? wholeCallsOf(message) : [];
    for (const call of whole) this.#whole.push(call);
    return { hasCalls: fragments.length + whole.length > 0, foreign };
  }

  #placed(fragment: UnknownRecord): UnknownRecord {
    const place = this.#foreign.get(fragment['index']) ?? this.#callCount++;
    this.#foreign.set(fragment['index'], place);
    return { ...fragment, index: place };
  }

  #remake(
    chunk: UnknownRecord | { readonly constructor: unknown },
    message: LcMessage,
    { content, reasoning, calls }: Found,
    foreign: readonly UnknownRecord[],
  ): UnknownRecord {
    const first = this.#callCount;
    this.#callCount += calls.length;
    const kwargs = withReasoning(
      withoutRawCalls(recordIn(message['additional_kwargs'])),
      reasoning,
    );
    const told = message['response_metadata'];
    const info = 'generationInfo' in chunk ? chunk['generationInfo'] : undefined;
    const mended = remake(message, {
      content:
        this.#isAnthropic && Array.isArray(content)
          ? [...(content as readonly unknown[]), ...calls.map(toolUse)]
          : content,
      tool_calls: undefined,
      invalid_tool_calls: undefined,
      tool_call_chunks: [...foreign, ...calls.map((call, at) => callChunk(call, first + at))],
      additional_kwargs: this.#atEnd(kwargs),
      response_metadata: this.#atEnd({
        // Where an agent streams, LangChain loses what only stands beside the message.
        ...finishOf(info),
        ...recordIn(this.#reader.isMended ? withoutRawOutput(told) : told),
      }),
    });
    return construct(chunk, {
      message: mended,
      text: plainText(content),
      generationInfo: this.#atEnd(info),
    });
  }

  /** How the answer ended, as it fits what was told of it. */
  #atEnd<Told>(told: Told): Told {
    return this.#isOver ? toldOfCalls(told, this.#callCount > 0) : told;
  }
}
