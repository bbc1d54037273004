import type { TurnScript } from './turn-script.ts';

/** One time that a server was asked for a turn: how much of the answer it has sent at most. */
export interface Attempt {
  readonly server: string;
  /** How many calls it has sent to their seals. */
  sealed: number;
  isFinished: boolean;
  sentBytes: number;
}

/** A turn that is asked for, by its id. */
export interface Turn {
  readonly script: TurnScript;
  readonly attempts: Attempt[];
}

const MARK = /soak-turn:([\w.-]+);/g;

/** What a client says so that the model knows which turn it is in. */
export const promptOf = (id: string): string => `Please go on. soak-turn:${id};`;

/** The turns that run, so that servers find what to say. */
export class Turns {
  readonly #byId = new Map<string, Turn>();

  get size(): number {
    return this.#byId.size;
  }

  begin(script: TurnScript): Turn {
    const turn = { script, attempts: [] };
    this.#byId.set(script.id, turn);
    return turn;
  }

  end({ script }: Turn): void {
    this.#byId.delete(script.id);
  }

  /** The turn that a request is for: the one that was named last. */
  askedFor(body: string): Turn | undefined {
    const [, id] = [...body.matchAll(MARK)].at(-1) ?? [];
    return id === undefined ? undefined : this.#byId.get(id);
  }
}
