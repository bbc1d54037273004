import { createDefaultRegistry, FormatParser } from '@holdfast/core/parse';

const READERS = createDefaultRegistry()
  .list()
  .filter(({ parser }) => parser instanceof FormatParser && parser.formats.length > 0)
  .map(({ name }) => name);

/** The names of all formats that read calls; `hermes` is another name of `qwen`. */
export const FORMAT_NAMES: readonly string[] = [...READERS, 'hermes'];
