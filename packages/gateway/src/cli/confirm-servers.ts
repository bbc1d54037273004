import type { McpServerConfig } from '../mcp/mcp-config.ts';
import { configSecrets, Redactor, urlWithoutSecrets } from '../redact/redactor.ts';
import type { Arguments } from './command.ts';
import type { Io } from './io.ts';
import type { LoadedMcp } from './load-mcp.ts';
import { Misuse } from './misuse.ts';
import { safeLine } from './safe-text.ts';

/**
 * Asks before servers of a file are started that was found in the folder and not named: the author of the project
 * chose what they run. Throws a `Misuse` unless the user agrees.
 */
export async function confirmServers(
  { config, foundFile }: Extract<LoadedMcp, { ok: true }>,
  given: Arguments,
  io: Io,
): Promise<void> {
  const { servers } = config.mcp;
  if (foundFile === undefined || servers.length === 0 || given.flags.has('yes')) return;
  const redactor = new Redactor(configSecrets(config));
  const listed = servers.map((server) => `  ${safeLine(redactor.text(describe(server)))}\n`);
  const starts = servers.some(({ via }) => via.kind === 'stdio');
  const what = starts ? 'starts commands of this project' : 'connects to servers of this project';
  const found = `${safeLine(foundFile)} ${what}:\n${listed.join('')}`;
  if (!io.stdin.isTerminal || !io.stderr.isTerminal) {
    throw new Misuse(
      `${found}expected --yes, or --config with this file, to agree to that where there is no terminal to ask on`,
    );
  }
  const typed = nextKey(io);
  io.stderr.write(`${found}Go on? [y/N] `);
  const key = await typed;
  io.stderr.write('\n');
  if (key.toLowerCase() !== 'y') throw new Misuse('nothing was started');
}

function describe({ name, via }: McpServerConfig): string {
  if (via.kind !== 'stdio') return `${name}: ${urlWithoutSecrets(via.url)}`;
  return `${name}: ${[via.command, ...via.args].join(' ')}`;
}

/** The first character of what is typed next. */
function nextKey(io: Io): Promise<string> {
  return new Promise((resolve) => {
    const ignore = io.onKey((text) => {
      ignore();
      resolve(text.slice(0, 1));
    });
  });
}
