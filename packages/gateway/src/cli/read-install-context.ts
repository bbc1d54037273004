import { homedir } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { HostName } from '../agents/host-name.ts';
import { HOST_NAMES } from '../agents/host-name.ts';
import type { InstallContext } from '../agents/install/agent-installer.ts';
import type { Arguments, OptionKinds } from './command.ts';
import type { Io } from './io.ts';
import { Misuse } from './misuse.ts';
import { didYouMean } from './nearest.ts';

/** The options that say where an agent's files are. */
export const PLACE_OPTIONS = {
  user: 'flag',
  project: 'flag',
  root: 'value',
} as const satisfies OptionKinds;

/** The agent that was named. */
export function readHostName({ positionals }: Arguments): HostName {
  const [name, ...more] = positionals;
  const names = HOST_NAMES.join(', ');
  if (name === undefined) throw new Misuse(`expected an agent: ${names}`);
  if (more.length > 0) throw new Misuse(`expected one agent, got ${positionals.join(' ')}`);
  const found = HOST_NAMES.find((each) => each === name);
  if (found !== undefined) return found;
  throw new Misuse(
    `unknown agent "${name}"; expected one of ${names}${didYouMean(name, HOST_NAMES)}`,
  );
}

/** Where an agent's files are, and how the hook is run. */
export function readInstallContext(
  name: HostName,
  { flags, values }: Arguments,
  { env }: Io,
  project: string = process.cwd(),
): InstallContext {
  if (flags.has('user') && flags.has('project')) {
    throw new Misuse('expected --user or --project, got both');
  }
  const root = values.get('root');
  if (root !== undefined && name !== 'agent-zero') {
    throw new Misuse(`--root: expected with agent-zero only, got with ${name}`);
  }
  return {
    scope: flags.has('project') ? 'project' : 'user',
    project,
    home: homeOf(env),
    env,
    root: root ?? '/a0',
    node: process.execPath,
    // From here two folders up, in the source as in the build.
    script: fileURLToPath(new URL('../../bin/holdfast.js', import.meta.url)),
    veto: flags.has('veto'),
  };
}

function homeOf(env: Io['env']): string {
  const home = env[process.platform === 'win32' ? 'USERPROFILE' : 'HOME'] ?? '';
  return home === '' ? homedir() : home;
}
