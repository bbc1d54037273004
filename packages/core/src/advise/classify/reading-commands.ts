import type { ShellProgram } from './shell-command.ts';

/** Programs that show content: what they print may speak of errors and be none. */
const READING: ReadonlySet<string> = new Set(
  (
    'cat bat head tail less more sed awk grep egrep fgrep rg ag ack zgrep zcat jq yq sort uniq wc cut tr nl tac ' +
    'column xxd od strings echo printf ls find fd tree stat file journalctl dmesg history env printenv ' +
    'diff cmp man which type date pwd whoami ps'
  ).split(' '),
);

/** Subcommands that show content. */
const READING_SUBCOMMANDS: ReadonlySet<string> = new Set(
  (
    'git log;git show;git diff;git blame;git grep;git status;git branch;docker logs;docker ps;kubectl logs;' +
    'kubectl get;kubectl describe;gh issue;gh pr;gh run;gh api;podman logs;npm view;pip show;aws logs'
  ).split(';'),
);

/** Whether a command does nothing but show content. */
export function isReading(programs: readonly ShellProgram[]): boolean {
  return (
    programs.length > 0 &&
    programs.every(
      ({ name, subcommand }) =>
        READING.has(name) || READING_SUBCOMMANDS.has(`${name} ${subcommand}`),
    )
  );
}
