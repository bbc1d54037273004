import { MarkerSet } from '../script/marker-set.ts';

/** The names of the elements of a call, in every spelling, without angle brackets. */
export interface InvokeNames {
  /** The element around all calls. */
  readonly wrapper: readonly string[];
  readonly invoke: readonly string[];
  readonly parameter: readonly string[];
  /** What else ends the block around the calls. */
  readonly otherWrapperCloses?: readonly string[];
  /** What else models close a call with, where nothing but its end can stand. */
  readonly otherInvokeCloses?: readonly string[];
}

export type TagKind =
  | 'wrapper-open'
  | 'wrapper-close'
  | 'invoke-open'
  | 'invoke-close'
  | 'parameter-open'
  | 'parameter-close';

/** The tags of `<wrapper><invoke name="f"><parameter name="k">v</parameter></invoke></wrapper>`. */
export class InvokeTags {
  /** Where a tag is expected, its first characters tell it: attributes follow. */
  readonly invokeOpens: MarkerSet;
  readonly parameterOpens: MarkerSet;
  readonly invokeCloses: MarkerSet;
  readonly wrapperCloses: MarkerSet;
  /** What may stand behind a parameter. */
  readonly afterParameter: MarkerSet;
  /** What may stand behind a call. */
  readonly afterInvoke: MarkerSet;
  /** What in the text of a parameter may be a tag of the call around it. */
  readonly inValue: MarkerSet;
  readonly #kinds = new Map<string, TagKind>();
  readonly #names: InvokeNames;

  constructor(names: InvokeNames) {
    this.#names = names;
    const { wrapper, invoke, parameter } = names;
    const wrapperCloses = [...wrapper.map(closeTag), ...(names.otherWrapperCloses ?? [])];
    const invokeOpens = invoke.map((name) => `<${name}`);
    const invokeCloses = invoke.map(closeTag);
    const parameterOpens = parameter.map((name) => `<${name}`);
    this.invokeOpens = new MarkerSet(invokeOpens);
    const allInvokeCloses = [...invokeCloses, ...(names.otherInvokeCloses ?? [])];
    this.invokeCloses = new MarkerSet(allInvokeCloses);
    this.parameterOpens = new MarkerSet(parameterOpens);
    this.wrapperCloses = new MarkerSet(wrapperCloses);
    this.afterInvoke = new MarkerSet([...invokeOpens, ...wrapperCloses]);
    this.afterParameter = new MarkerSet([
      ...parameterOpens,
      ...allInvokeCloses,
      ...invokeOpens,
      ...wrapperCloses,
    ]);
    for (const name of wrapper) this.#kinds.set(`<${name}>`, 'wrapper-open');
    for (const tag of wrapperCloses) this.#kinds.set(tag, 'wrapper-close');
    // In a text, where anything may stand, only a tag with its attribute looks like one.
    for (const tag of invokeOpens) this.#kinds.set(`${tag} name=`, 'invoke-open');
    for (const tag of invokeCloses) this.#kinds.set(tag, 'invoke-close');
    for (const tag of parameterOpens) this.#kinds.set(`${tag} name=`, 'parameter-open');
    for (const name of parameter) this.#kinds.set(closeTag(name), 'parameter-close');
    this.inValue = new MarkerSet([...this.#kinds.keys()]);
  }

  /** What a marker of `inValue` is. */
  kindOf(marker: string): TagKind | undefined {
    return this.#kinds.get(marker);
  }

  /** The tag that closes what `<invoke`, so spelled, has opened. */
  invokeCloseFor(open: string): string {
    const name = this.#names.invoke.find((one) => open === `<${one}`);
    return closeTag(name ?? open.slice(1));
  }
}

function closeTag(name: string): string {
  return `</${name}>`;
}
