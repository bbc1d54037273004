import type { FileEdit } from './agent-installer.ts';
import { editJson } from './edit-json.ts';
import type { JsonEdit } from './edit-json.ts';

/** What becomes of a file of settings, as an `InstallPlan` has it: nothing where all is as it should be. */
export function editSettings(
  path: string,
  before: string | undefined,
  edits: readonly JsonEdit[],
): readonly FileEdit[] {
  const after = edits.length === 0 ? before : editJson(before ?? '', edits, path);
  return before === after ? [] : [{ path, before, after }];
}

/** Whether there is nothing in a file of settings, or no file. */
export function saysNothing(text: string | undefined): boolean {
  return text === undefined || text.replace(/\s/g, '') === '{}';
}
