import { z } from 'zod';
import { advisorSchema } from './advisor-schema.ts';
import type { AdvisorSettings } from './advisor-schema.ts';
import { formatConfigPath, formatConfigProblem } from './config-problem.ts';
import type { Environment } from './expand-variables.ts';
import { isObject } from '../proxy/json/json-fields.ts';
import { checkFilled } from './load-config.ts';
import { readYaml } from './read-yaml.ts';

/** The section `advisor` of a `holdfast.yaml`, or what is wrong with it, a line for each problem. */
export type ReadAdvisorFile =
  | { readonly ok: true; readonly settings: AdvisorSettings }
  | { readonly ok: false; readonly problem: string };

/** Of the other sections nothing is read: hooks have no use for them. */
const schema = z.object({ advisor: advisorSchema.optional() });

/** Reads the section `advisor` of the text of a `holdfast.yaml`. Never throws. */
export function readAdvisorFile(text: string, file: string, env: Environment): ReadAdvisorFile {
  const yaml = readYaml(text);
  if (!yaml.ok) {
    const problems = yaml.problems.map((problem) => ({ file, path: '', ...problem }));
    return { ok: false, problem: problems.map(formatConfigProblem).join('\n') };
  }
  const { value } = yaml;
  const section = isObject(value) ? value['advisor'] : undefined;
  const { read, broken } = checkFilled(schema, { advisor: section }, env);
  if (read !== undefined && broken.length === 0) return { ok: true, settings: read.advisor ?? {} };
  const problems = broken.map(({ path, message, isKey }) =>
    formatConfigProblem({
      file,
      ...yaml.placeOf(path, isKey),
      path: formatConfigPath(path),
      message,
    }),
  );
  return { ok: false, problem: problems.join('\n') };
}
