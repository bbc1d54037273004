import { adviceFromData } from '../advise/advice-entry.ts';
import type { AdviceEntry } from '../advise/advice-entry.ts';
import { InvalidOptionError } from '../errors.ts';
import { readYaml } from '../parse/yaml/read-yaml.ts';

/** Nothing in a list of advice lies deeper. */
const MAX_DEPTH = 8;

/**
 * Advice from a YAML file: a list of `tool`, `type` and `text`, or an `advice:` that has it. Maps, lists,
 * quoted and folded strings and lines of comment are read; for all of YAML, hand what your own reader returns
 * to `adviceFromData`. Throws `InvalidOptionError` with the place of what is wrong.
 */
export function adviceFromYaml(yaml: string): readonly AdviceEntry[] {
  const lines = yaml.split('\n').filter((line) => !line.trimStart().startsWith('#'));
  const data = readYaml(lines.join('\n'), MAX_DEPTH, (scalar) => scalar);
  if (data === undefined)
    throw new InvalidOptionError(
      'advice',
      'YAML: a list of tool, type and text',
      yaml.slice(0, 80),
    );
  return adviceFromData(data);
}
