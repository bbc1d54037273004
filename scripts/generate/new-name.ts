/** A name that files, exports and users can have in common: `acme`, `acme-v1.1`. */
const NAME = /^[a-z][a-z\d]*(?:[.-][a-z\d]+)*$/;

/** Says what was wrong with what was asked for, and is shown without a stack. */
export class Refusal extends Error {}

export interface NewNameOptions {
  /** What gets the name, for messages: `format`. */
  readonly what: string;
  readonly taken: readonly string[];
}

/** The name if it can be had; throws a `Refusal` that says why it cannot. */
export function readNewName(name: string | undefined, { what, taken }: NewNameOptions): string {
  if (name === undefined) {
    throw new Refusal(`expected the name of the ${what}: npm run new:${what} -- acme-v2`);
  }
  if (!NAME.test(name) || name.length > 40) {
    throw new Refusal(
      `"${name}" cannot be the name of a ${what}: expected lower-case letters and digits, with - or . between words, beginning with a letter, at most 40 characters`,
    );
  }
  if (taken.includes(name)) throw new Refusal(`there is a ${what} ${name} already`);
  const other = taken.find((one) => toIdentifier(one) === toIdentifier(name));
  if (other !== undefined) {
    throw new Refusal(
      `${name} would be called ${toIdentifier(name)} in code, and so is ${other} already`,
    );
  }
  return name;
}

/** `acme-v1.1` as `acmeV11`. */
export function toIdentifier(name: string): string {
  return name.replace(/[.-]([a-z\d])/g, (_, letter: string) => letter.toUpperCase());
}

/** `acme-v1.1` as `Acme v1.1`, to begin a sentence with. */
export function toTitle(name: string): string {
  const words = name.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
