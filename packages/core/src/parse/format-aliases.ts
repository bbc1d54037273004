/** Names that people know dialects by, and the parsers that read them. */
export const FORMAT_ALIASES: ReadonlyMap<string, string> = new Map([['hermes', 'qwen']]);
