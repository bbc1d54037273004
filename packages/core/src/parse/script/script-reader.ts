import type {
  CallReader,
  EagerCall,
  Frame,
  Opening,
  RawCall,
  ReadContext,
  ReadStatus,
} from '../format.ts';
import type { BlockScript, Declined, Script } from './script.ts';
import { ScriptInput } from './script-input.ts';

/** Runs a script as text arrives. */
export class ScriptReader implements CallReader {
  calls: readonly RawCall[] = [];
  endOffset = 0;
  reach = 0;
  reason = '';

  readonly #input: ScriptInput;
  readonly #script: Script<Declined | undefined>;

  constructor(script: BlockScript, opening: Opening, context: ReadContext) {
    this.#input = new ScriptInput(context);
    this.#script = script(this.#input, opening);
  }

  get eager(): EagerCall[] {
    return this.#input.isQuiet ? NONE : this.#input.eager;
  }

  get resembledCall(): boolean {
    return this.#input.resemblesCall;
  }

  get frame(): Frame | undefined {
    return this.#input.frame;
  }

  get cut(): boolean {
    return this.#input.isCut;
  }

  get tooDeep(): boolean {
    return this.#input.isTooDeep;
  }

  read(text: string, from: number): ReadStatus {
    this.#input.push(text, from);
    return this.#run();
  }

  end(): ReadStatus {
    this.#input.isEnded = true;
    return this.#run();
  }

  #run(): ReadStatus {
    const step = this.#script.next();
    if (step.done !== true) return 'more';
    const { drafts } = this.#input;
    this.reach = this.#input.offset;
    this.endOffset = this.#input.endsAt ?? this.reach;
    if (step.value === undefined && (drafts.length > 0 || this.frame !== undefined)) {
      this.calls = drafts.map((draft) => draft.toRawCall());
      return 'done';
    }
    this.reason = step.value?.reason ?? 'it holds no call';
    return 'declined';
  }
}

const NONE: EagerCall[] = [];
