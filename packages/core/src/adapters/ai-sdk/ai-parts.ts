/** A part of an answer, of a stream or of a prompt: a type, and fields by it. */
export interface PartLike {
  readonly type: string;
}

type Fields = Readonly<Record<string, unknown>>;

/** The fields of a part; the versions of the specification have not all the same. */
export function fieldsOf(part: PartLike): Fields {
  return part as PartLike & Fields;
}

export function makePart(type: string, fields: Fields): PartLike {
  return { ...fields, type };
}

export function withFields(part: PartLike, fields: Fields): PartLike {
  return { ...part, ...fields };
}

/** A field that is text; '' where it is none. */
export function textIn(part: PartLike, field: string): string {
  const value = fieldsOf(part)[field];
  return typeof value === 'string' ? value : '';
}

/** Whether a call is for the program that asked, and not for the provider that answers. */
export function isClientCall(part: PartLike): boolean {
  return fieldsOf(part)['providerExecuted'] !== true;
}
