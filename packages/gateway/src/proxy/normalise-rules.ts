/** What is changed in a request so that local servers accept it. Each can be switched off. */
export interface NormaliseRules {
  /**
   * `system` messages behind the first turn join the leading one, as many chat templates take no other;
   * `developer` messages, which few know, are system messages.
   */
  readonly systemInTheMiddle: boolean;
  /** Tools marked `defer_loading`, and references to them, are sent as plain tools. */
  readonly deferLoading: boolean;
  /** Tools that only the vendor's own servers can run are left out, with a note in the log. */
  readonly hostedTools: boolean;
  /** Tools in a namespace become plain ones, `namespace__name`; calls come back under their own names. */
  readonly namespaceTools: boolean;
  /** Custom tools of a Responses request, which take free text, become functions with one text, `input`. */
  readonly customTools: boolean;
  /** A schema without `properties` gets an empty one. */
  readonly parameterProperties: boolean;
  /** An empty tool result becomes `(no output)`. */
  readonly emptyToolResults: boolean;
  /** Tool results made of blocks become text. */
  readonly toolResultBlocks: boolean;
  /** Arguments of earlier calls that are empty or broken become valid JSON, as servers read them again. */
  readonly callArguments: boolean;
  /** Fields that Chat Completions does not know are left out. */
  readonly unknownFields: boolean;
  /** Images are passed on, or refused with a clear error for upstreams that cannot see. */
  readonly images: 'pass' | 'refuse';
}

export const NORMALISE_DEFAULTS: NormaliseRules = Object.freeze({
  systemInTheMiddle: true,
  deferLoading: true,
  hostedTools: true,
  namespaceTools: true,
  customTools: true,
  parameterProperties: true,
  emptyToolResults: true,
  toolResultBlocks: true,
  callArguments: true,
  unknownFields: true,
  images: 'pass',
});
