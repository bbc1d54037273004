import { watch } from 'node:fs';

/** Tells of changes in a folder. Never throws: where it cannot watch, `onFailure` says why. Returns what ends it. */
export function watchFolder(
  folder: string,
  onChange: () => void,
  onFailure: (reason: string) => void,
): () => void {
  try {
    const watcher = watch(folder, { persistent: false }, onChange);
    watcher.on('error', (error) => {
      watcher.close();
      onFailure(error instanceof Error ? error.message : String(error));
    });
    return () => watcher.close();
  } catch (error) {
    onFailure(error instanceof Error ? error.message : String(error));
    return () => undefined;
  }
}
