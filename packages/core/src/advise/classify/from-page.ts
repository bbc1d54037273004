import type { Classification } from '../classification.ts';
import { typeOfStatus } from './http-statuses.ts';
import { readPageStatus } from './page-status.ts';
import type { Signals } from './signals.ts';
import { isWebTool } from './tool-kind.ts';
import { typeOfLines } from './type-of-lines.ts';
import type { TypedLine } from './type-of-lines.ts';
import { failure, success } from './verdict.ts';

/** What the HTTP status says: the host's, or the one a page or an answer begins with. */
export function fromPage({
  result,
  kind,
  exitCode,
  output,
  lines,
}: Signals): Classification | undefined {
  const given = result.status;
  if (given !== undefined && given >= 400) {
    const type = typeOfStatus(given) ?? 'execution';
    return failure(withLimits(type, lines.first), 0.9, lines.first[0] ?? `HTTP ${given}`);
  }
  if (kind === 'shell' || kind === 'edit' || exitCode !== undefined) return undefined;
  // A file may begin like an answer; only what comes from the web is one.
  const isWeb = isWebTool(result.tool);
  if (kind === 'reader' && !isWeb) return undefined;
  const page = readPageStatus(output, isWeb);
  if (page === undefined) return undefined;
  if (page.type === undefined) return success(0.85);
  return failure(withLimits(page.type, lines.first), 0.8, page.line);
}

/** Services refuse with 403 and 429 what is over a limit of one kind or another; their words say which. */
function withLimits(type: TypedLine['type'], lines: readonly string[]): TypedLine['type'] {
  if (type !== 'permission' && type !== 'rate_limit') return type;
  const said = typeOfLines(lines.slice(1))?.type;
  return said === 'rate_limit' || said === 'resource' ? said : type;
}
