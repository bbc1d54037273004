import type { ShellProgram } from './classify/shell-command.ts';
import { programsOf } from './classify/shell-command.ts';

/** Programs that only look, whatever follows; `git log` names one of its subcommands. */
const READ_ONLY: ReadonlySet<string> = new Set(
  (
    'cat head tail less more ls ll dir pwd echo printf grep egrep fgrep rg ag ack find fd locate which ' +
    'whereis type file stat wc sort uniq cut awk sed tr diff cmp tree du df free ps top env printenv date ' +
    'whoami id groups uname hostname test [ sleep wait ping dig nslookup host jq yq xxd od md5sum sha1sum ' +
    'sha256sum basename dirname realpath readlink man curl uptime lsof netstat ss pgrep history nl column ' +
    'gi gc gci select-string get-content get-childitem get-item test-path'
  ).split(' '),
);

const READ_ONLY_SUBCOMMANDS: Readonly<Record<string, string>> = {
  git: 'status log diff show blame branch remote rev-parse ls-files ls-tree grep describe config reflog',
  npm: 'ls list view info outdated search',
  pip: 'list show freeze check',
  pip3: 'list show freeze check',
  docker: 'ps logs inspect images version info top stats',
  kubectl: 'get describe logs top version explain',
  systemctl: 'status is-active list-units show',
  gh: 'run status search',
  cargo: 'tree search metadata',
  go: 'version env list doc vet',
};

/** Flags that make a looking program write. */
const WRITING_FLAGS =
  / (?:-i|-delete|-exec|-execdir|--in-place|-o|-O|-d|--data|-T|-F|-X|--request|--output)(?:[ ='.]|$)/;

/** Redirections that write no file that matters. */
const HARMLESS_REDIRECTIONS = /(?:\d|&)?>(?:&\d| ?\/dev\/null)/g;

/** Whether a command only looks. A doubt is a no: then a repeated failure is believed to be a new try. */
export function isReadOnlyCommand(command: string): boolean {
  const bounded = command.slice(0, MAX_LENGTH);
  if (bounded.replace(HARMLESS_REDIRECTIONS, '').includes('>')) return false;
  if (bounded.length < command.length || WRITING_FLAGS.test(bounded)) return false;
  const programs = programsOf(bounded);
  return programs.length > 0 && programs.every(isReadOnlyProgram);
}

const MAX_LENGTH = 4096;

function isReadOnlyProgram({ name, subcommand }: ShellProgram): boolean {
  const lower = name.toLowerCase();
  if (READ_ONLY.has(lower)) return true;
  return has(READ_ONLY_SUBCOMMANDS, lower, subcommand);
}

const POLLING: ReadonlySet<string> = new Set(
  'sleep wait watch ps top pgrep squeue jobs uptime start-sleep'.split(' '),
);

const POLLING_SUBCOMMANDS: Readonly<Record<string, string>> = {
  docker: 'ps logs wait inspect stats',
  kubectl: 'get describe logs rollout wait top',
  systemctl: 'status is-active',
  gh: 'run',
  tmux: 'capture-pane',
};

/** Addresses whose answer is a state: `curl localhost:3000/health`. */
const STATE_ADDRESS = /\/(?:healthz?|status|ready|readyz|livez|ping)\b/i;

/** Whether a command asks for what changes by itself, or waits. */
export function isPollingCommand(command: string): boolean {
  const bounded = command.slice(0, MAX_LENGTH);
  return (
    STATE_ADDRESS.test(bounded) ||
    programsOf(bounded).some(
      ({ name, subcommand }) => POLLING.has(name) || has(POLLING_SUBCOMMANDS, name, subcommand),
    )
  );
}

function has(table: Readonly<Record<string, string>>, name: string, subcommand: string): boolean {
  return Object.hasOwn(table, name) && (table[name] ?? '').split(' ').includes(subcommand);
}
