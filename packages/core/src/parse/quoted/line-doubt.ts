import { BACKTICK } from '../json/char-code.ts';
import type { LineBefore } from './line-before.ts';
import { endsSentence, isCaseless, isUpperCase, isLetter, mayGoOn } from './sentence-character.ts';

/** Whether a call is a call, or text that shows one. */
export type Verdict = 'call' | { readonly quotedIn: string };

/** Waits for what follows a call on its line to show whether the call is part of a sentence or of code. */
export interface LineDoubt {
  /** Takes the next character. Returns undefined while more is needed. */
  next(character: string): Verdict | undefined;
  /** Another call follows, which is in doubt as well or not. */
  nextCall(isInDoubt: boolean): Verdict | undefined;
  /** Nothing follows any more. */
  end(): Verdict;
}

/** The doubt about a call whose line begins like that; undefined when there is none. */
export function lineDoubt(before: LineBefore, isWholeSoFar: boolean): LineDoubt | undefined {
  if (before.isEmpty) return undefined;
  before.read();
  if (before.ticks > 0) return new InlineCode(before.ticks, isWholeSoFar);
  return before.isMidSentence ? new Sentence() : undefined;
}

/**
 * Words of one sentence on both sides of a call make it a part of the sentence: it goes on in lower case, and for
 * three words or to its end.
 */
class Sentence implements LineDoubt {
  #words = 0;
  #isInWord = false;

  next(character: string): Verdict | undefined {
    if (isLetter(character)) {
      if (this.#words === 0 && isUpperCase(character)) return 'call';
      // Scripts without case have words without space between them, too.
      if (!this.#isInWord || isCaseless(character)) this.#words++;
      this.#isInWord = true;
      return this.#words >= ENOUGH_WORDS ? SENTENCE : undefined;
    }
    this.#isInWord = false;
    if (this.#words > 0 && endsSentence(character)) return SENTENCE;
    return mayGoOn(character) ? undefined : 'call';
  }

  nextCall(isInDoubt: boolean): Verdict | undefined {
    return isInDoubt ? undefined : 'call';
  }

  end(): Verdict {
    return 'call';
  }
}

const ENOUGH_WORDS = 3;
const SENTENCE: Verdict = { quotedIn: 'a sentence' };

/** A call between backticks is code that the message shows, unless the message is nothing else. */
class InlineCode implements LineDoubt {
  readonly #ticks: number;
  readonly #isWholeSoFar: boolean;
  #run = 0;
  #isClosed = false;

  constructor(ticks: number, isWholeSoFar: boolean) {
    this.#ticks = ticks;
    this.#isWholeSoFar = isWholeSoFar;
  }

  next(character: string): Verdict | undefined {
    if (character.charCodeAt(0) === BACKTICK && !this.#isClosed) {
      this.#run++;
      return undefined;
    }
    this.#endRun();
    if (this.#isClosed) return this.#isWholeSoFar && /\s/.test(character) ? undefined : INLINE_CODE;
    return character === '\n' ? 'call' : undefined;
  }

  nextCall(isInDoubt: boolean): Verdict | undefined {
    this.#endRun();
    if (this.#isClosed) return INLINE_CODE;
    return isInDoubt ? undefined : 'call';
  }

  end(): Verdict {
    this.#endRun();
    return this.#isClosed && !this.#isWholeSoFar ? INLINE_CODE : 'call';
  }

  #endRun(): void {
    this.#isClosed ||= this.#run === this.#ticks;
    this.#run = 0;
  }
}

const INLINE_CODE: Verdict = { quotedIn: 'inline code' };

const OBSERVATION = 'Observation:';

/** A model that writes what its tool returned explains a call, or made up the result: nothing is to be run. */
export class Observation implements LineDoubt {
  #seen = 0;

  next(character: string): Verdict | undefined {
    if (this.#seen === 0 && /\s/.test(character)) return undefined;
    if (character !== OBSERVATION.charAt(this.#seen)) return 'call';
    this.#seen++;
    return this.#seen === OBSERVATION.length
      ? { quotedIn: 'steps whose results the model wrote itself' }
      : undefined;
  }

  nextCall(): Verdict {
    return 'call';
  }

  end(): Verdict {
    return 'call';
  }
}
