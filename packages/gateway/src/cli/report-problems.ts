import { maskSecrets } from '@holdfast/core/advise';
import type { ConfigProblem } from '../config/config-problem.ts';
import type { Io } from './io.ts';
import { safeText } from './safe-text.ts';

/** Tells what is wrong with configuration files, one problem a line. */
export async function reportProblems(problems: readonly ConfigProblem[], io: Io): Promise<void> {
  const { formatConfigProblem } = await import('../config/config-problem.ts');
  for (const problem of problems) {
    io.stderr.write(`holdfast: ${safeText(maskSecrets(formatConfigProblem(problem)))}\n`);
  }
}
