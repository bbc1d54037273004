import type { FinishReason } from '../turn/finish-reason.ts';
import type { CallShape } from './call-shape.ts';
import { finishWord } from './chat-finish-reason.ts';

/** What a client was told of one choice of a stream. */
export class ToldChoice {
  readonly shape: CallShape;
  hasRole = false;
  isFinished = false;
  readonly #indexes = new Map<string, number>();
  /** Calls told in pieces that have no piece yet. */
  readonly #bare = new Set<number>();

  constructor(shape: CallShape) {
    this.shape = shape;
  }

  /** The index of a call on the wire, from 0 without gaps, whoever counts it. */
  callIndex(number: number): number {
    return this.#indexOf(`function ${number}`);
  }

  /** Calls of custom tools are counted apart from those of functions, and share their indexes on the wire. */
  customIndex(number: number): number {
    return this.#indexOf(`custom ${number}`);
  }

  beginPieces(number: number): void {
    this.#bare.add(number);
  }

  addPiece(number: number): void {
    this.#bare.delete(number);
  }

  /** Whether the call ends without any piece of arguments. */
  endPieces(number: number): boolean {
    return this.#bare.delete(number);
  }

  wordFor(reason: FinishReason): string {
    return finishWord(reason, this.#indexes.size > 0, this.shape);
  }

  #indexOf(key: string): number {
    const index = this.#indexes.get(key) ?? this.#indexes.size;
    this.#indexes.set(key, index);
    return index;
  }
}
