import { maskSecrets } from '@holdfast/core/advise';
import { maskValues, usableSecrets } from './mask-values.ts';

/**
 * Takes secrets out of what is written anywhere: those it was told of, and what has the shape of a key or
 * follows the name of one.
 */
export class Redactor {
  #secrets: readonly string[] = [];

  constructor(secrets: Iterable<string> = []) {
    this.setSecrets(secrets);
  }

  /** The secrets of a new configuration, in place of those of the old one. */
  setSecrets(secrets: Iterable<string>): void {
    this.#secrets = usableSecrets(secrets);
  }

  /** One that knows these secrets as well, such as the keys of one request. */
  with(secrets: Iterable<string>): Redactor {
    return new Redactor([...this.#secrets, ...secrets]);
  }

  text(text: string): string {
    return maskSecrets(maskValues(text, this.#secrets));
  }
}
