import { createDefaultRegistry, FormatParser, RENDER_FORMATS } from '@holdfast/core/parse';

/**
 * The dialect in which a model is told of its tools: the one it was trained on, as far as its name says. Any
 * other model is told in that of Hermes, which most have seen.
 */
export function toolFormatOf(model: string): string {
  const name = model.toLowerCase();
  dialects ??= writtenDialects();
  return dialects.find(({ part }) => name.includes(part))?.format ?? MOST_KNOWN;
}

const MOST_KNOWN = 'qwen';

/** A part of the names of models, and the dialect of those. */
interface ModelDialect {
  readonly part: string;
  readonly format: string;
}

let dialects: readonly ModelDialect[] | undefined;

/** As the parsers choose: the longest part first, as `qwen3-coder` says more than `qwen`. */
function writtenDialects(): readonly ModelDialect[] {
  const all = createDefaultRegistry().list();
  return all
    .filter(({ name }) => RENDER_FORMATS.includes(name))
    .flatMap(({ name: format, parser }) =>
      parser instanceof FormatParser ? parser.models.map((part) => ({ part, format })) : [],
    )
    .sort((one, other) => other.part.length - one.part.length);
}
