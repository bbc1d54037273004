import { hashText } from '../../../internal/hash-text.ts';

/** Names that are used as they are: no spaces, no braces (a cluster reads what is in them), not too long. */
const PLAIN_NAME = /^[\w.:/-]{1,64}$/;

/**
 * The keys and the channel of a store. What is in braces decides on which node of a cluster a key is. Names that
 * begin with `~` are ours or hashes: no circuit can have one that is used as it is.
 */
export class RedisKeys {
  readonly #prefix: string;
  readonly replicas: string;
  readonly notClosed: string;
  readonly channel: string;

  constructor(prefix: string) {
    this.#prefix = prefix;
    this.replicas = `${prefix}:{~replicas}`;
    this.notClosed = `${prefix}:{~not-closed}`;
    this.channel = `${prefix}:{~news}`;
  }

  /** Circuits are named by tools, and so by models: any name is a key that is short and keeps to its place. */
  circuit(name: string): string {
    return `${this.#prefix}:{${PLAIN_NAME.test(name) ? name : `~${hashText(name)}`}}`;
  }
}

export const isPrefix = (prefix: string): boolean => PLAIN_NAME.test(prefix);
