import { safeServerName } from './safe-server-name.ts';

/** Programs that run others, and the words behind them that are no name yet. */
const LAUNCHERS: Readonly<Record<string, readonly string[]>> = {
  bun: ['run', 'x'],
  bunx: [],
  cmd: ['/c'],
  deno: ['run'],
  docker: ['run', 'container'],
  env: [],
  node: [],
  npm: ['exec', 'x'],
  npx: [],
  pipx: ['run'],
  pnpm: ['dlx', 'exec'],
  podman: ['run', 'container'],
  python: [],
  python3: [],
  tsx: [],
  uv: ['run', 'tool'],
  uvx: [],
  yarn: ['dlx', 'exec'],
};

/** Options of launchers whose value is the next word. */
const WITH_VALUE: ReadonlySet<string> = new Set([
  '-e',
  '--directory',
  '--env',
  '--env-file',
  '--from',
  '--import',
  '--loader',
  '--mount',
  '--name',
  '--network',
  '--python',
  '--require',
  '-v',
  '--volume',
  '-w',
  '--with',
  '--workdir',
]);

/** Names of files that say nothing: the folder they are in does. */
const EMPTY_WORDS: ReadonlySet<string> = new Set([
  'bin',
  'build',
  'cli',
  'dist',
  'index',
  'lib',
  'main',
  'mcp',
  'mcp-server',
  'run',
  'server',
  'src',
  'start',
]);

/** What to call a server that is started with this command: `npx -y @modelcontextprotocol/server-everything` is `everything`. */
export function nameOfCommand(command: readonly string[]): string {
  const words = [...command];
  while (isLauncher(words[0])) {
    const plain = LAUNCHERS[baseName(words.shift() ?? '')] ?? [];
    while (words[0] !== undefined && (words[0].startsWith('-') || plain.includes(words[0]))) {
      if (WITH_VALUE.has(words.shift() ?? '')) words.shift();
    }
  }
  const named = words[0] ?? command[0] ?? '';
  // A package may have a scope, an image a registry, a script folders: the last part that says something is it.
  const parts = named
    .split(/[/\\]/)
    .map(bareWord)
    .filter((part) => part !== '');
  const telling = parts.findLast((part) => !EMPTY_WORDS.has(part)) ?? parts.at(-1) ?? '';
  return safeServerName(telling === '' ? 'server' : telling);
}

function isLauncher(word = ''): boolean {
  return Object.hasOwn(LAUNCHERS, baseName(word));
}

function baseName(path: string): string {
  return (path.split(/[/\\]/).at(-1) ?? '').replace(/\.(?:exe|cmd|bat)$/i, '').toLowerCase();
}

/** Without the version, the ending of a file, and what every server is called. */
function bareWord(part: string): string {
  const [plain = ''] = part.replace(/^@/, '').split(/[@:]/);
  const word = plain.replace(/\.(?:[cm]?[jt]s|py|exe|sh|cmd|bat)$/i, '');
  const bare = word
    .replace(/^(?:mcp[-_]server|server|mcp)[-_]/i, '')
    .replace(/[-_](?:mcp[-_]server|server[-_]mcp|mcp|server)$/i, '');
  return bare === '' ? word : bare;
}
