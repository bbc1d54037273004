import type { JsonObject } from '@holdfast/core';
import { unifiedDiff } from '../agents/install/unified-diff.ts';
import type { FileChange, HostChange } from '../agents/install/file-change.ts';
import { safeLine, safeText } from './safe-text.ts';
import type { Styles } from './style.ts';

/** A change of a file as `diff -u` shows it. */
export function formatDiff({ path, before, after }: FileChange, styles: Styles): string {
  const head = [
    `--- ${before === undefined ? '/dev/null' : path}`,
    `+++ ${after === undefined ? '/dev/null' : path}`,
  ];
  const lines = unifiedDiff(before ?? '', after ?? '').map((line) => {
    const text = safeText(line.replace(/\r$/, ''));
    if (line.startsWith('+')) return styles.green(text);
    if (line.startsWith('-')) return styles.red(text);
    return line.startsWith('@@') ? styles.cyan(text) : text;
  });
  return [...head.map((line) => styles.bold(safeLine(line))), ...lines, ''].join('\n');
}

const WOULD: Readonly<Record<FileChange['kind'], string>> = {
  installed: 'would install',
  updated: 'would update',
  removed: 'would remove',
  restored: 'would restore',
  cleaned: 'would take our entries out of',
};

const DONE: Readonly<Record<FileChange['kind'], string>> = {
  installed: 'installed',
  updated: 'updated',
  removed: 'removed',
  restored: 'restored',
  cleaned: 'took our entries out of',
};

/** What was done to a file, on one line. */
export function formatOutcome({ kind, path, backup }: FileChange, isDryRun: boolean): string {
  const verb = isDryRun ? WOULD[kind] : DONE[kind];
  const kept = kind === 'updated' && backup !== undefined ? `, kept what it was in ${backup}` : '';
  return `${safeLine(`${verb} ${path}${isDryRun ? '' : kept}`)}\n`;
}

/** What was done to an agent's files, for programs; none where there was nothing to do. */
export function changeJson(
  agent: string,
  { files, notes }: HostChange,
  isDryRun: boolean,
): JsonObject {
  return {
    agent,
    is_dry_run: isDryRun,
    files: files.map(({ kind, path, backup }) => ({ path, change: kind, backup: backup ?? null })),
    notes: [...notes],
  };
}
