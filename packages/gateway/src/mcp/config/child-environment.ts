import type { Environment } from '../../config/expand-variables.ts';

/**
 * What programs need to find their files, their language and the certificates of their network. Everything else
 * that the gateway's own environment holds, keys of other servers among it, stays with the gateway.
 */
const PASSED_ON: readonly string[] = [
  'HOME',
  'LANG',
  'LC_ALL',
  'LC_CTYPE',
  'LOGNAME',
  'NODE_EXTRA_CA_CERTS',
  'PATH',
  'SHELL',
  'SSL_CERT_DIR',
  'SSL_CERT_FILE',
  'TERM',
  'TMPDIR',
  'TZ',
  'USER',
  'XDG_CACHE_HOME',
  'XDG_CONFIG_HOME',
  'XDG_DATA_HOME',
  'XDG_RUNTIME_DIR',
];

const PASSED_ON_WINDOWS: readonly string[] = [
  'APPDATA',
  'COMSPEC',
  'HOMEDRIVE',
  'HOMEPATH',
  'LOCALAPPDATA',
  'NODE_EXTRA_CA_CERTS',
  'PATH',
  'PATHEXT',
  'PROCESSOR_ARCHITECTURE',
  'PROGRAMDATA',
  'PROGRAMFILES',
  'PROGRAMFILES(X86)',
  'PROGRAMW6432',
  'SYSTEMDRIVE',
  'SYSTEMROOT',
  'TEMP',
  'TMP',
  'USERNAME',
  'USERPROFILE',
  'WINDIR',
];

/**
 * The whole environment of a child: a few variables of ours, and those it was given, which win. `null` is a
 * variable that it must not have.
 */
export function childEnvironment(
  ours: Environment,
  given: Readonly<Record<string, string | null | undefined>>,
  platform: string,
): Readonly<Record<string, string>> {
  const isWindows = platform === 'win32';
  const passedOn = new Set(isWindows ? PASSED_ON_WINDOWS : PASSED_ON);
  // Windows has one variable Path, however it is spelled; two of them would be a matter of chance.
  const spelled = (name: string): string => (isWindows ? name.toUpperCase() : name);
  const theirs = new Set(Object.keys(given).map(spelled));
  const kept = Object.entries(ours).filter(
    ([name, value]) =>
      passedOn.has(spelled(name)) &&
      !theirs.has(spelled(name)) &&
      // A function that a shell exported: running it is how Shellshock worked.
      value?.startsWith('()') === false,
  );
  return Object.fromEntries(
    [...kept, ...Object.entries(given)].filter(
      (pair): pair is [string, string] => typeof pair[1] === 'string',
    ),
  );
}
