import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProgram } from '../agents/agent.ts';
import type { McpTools } from './install-mcp-tools.ts';

/** A revision of the protocol that the suite has requirements for. */
export type Revision = '2025-11-25' | '2026-07-28';

/** One thing that the suite looked at. */
export interface Check {
  readonly scenario: string;
  /** Not unique: what is tried in several ways has one id. */
  readonly id: string;
  readonly description: string;
  readonly status: CheckStatus;
  /** What is wrong, or why there was nothing to see. */
  readonly message?: string;
}

export type CheckStatus = 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';

/** Runs the conformance suite against a server, and gives every check it made. */
export async function runConformance(
  { node, modules }: McpTools,
  url: string,
  revision: Revision,
): Promise<readonly Check[]> {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-conformance-'));
  try {
    const suite = join(modules, '@modelcontextprotocol', 'conformance', 'dist', 'index.js');
    const args = ['server', '--url', url, '--requirements', revision, '--output-dir', folder];
    // Its exit code is 1 where a check fails, also one that does not count.
    const printed = await runProgram(node, [suite, ...args], { cwd: folder, env: {} });
    const checks = readdirSync(folder).flatMap((name) => readChecks(folder, name));
    if (checks.length === 0) throw new Error(`the conformance suite checked nothing:\n${printed}`);
    return checks;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

interface WrittenCheck {
  readonly id: string;
  readonly description: string;
  readonly status: CheckStatus;
  readonly errorMessage?: string;
}

/** Each scenario has a folder, `server-<scenario>-<time>`. */
function readChecks(folder: string, name: string): readonly Check[] {
  const scenario = /^server-(.+)-\d{4}-\d\d-\d\dT[-\d]+Z$/.exec(name)?.[1];
  if (scenario === undefined) return [];
  const file = join(folder, name, 'checks.json');
  // A scenario that broke off has nothing to show for it.
  if (!existsSync(file)) {
    return [{ scenario, id: scenario, description: 'the scenario ends', status: 'FAILURE' }];
  }
  const written = JSON.parse(readFileSync(file, 'utf8')) as WrittenCheck[];
  return written.map(({ id, description, status, errorMessage: message }) => {
    const check = { scenario, id, description, status };
    return message === undefined ? check : { ...check, message };
  });
}
