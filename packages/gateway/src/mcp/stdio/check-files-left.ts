import { closeSync, openSync } from 'node:fs';
import { devNull, platform } from 'node:os';

/** What starting a program opens: both ends of three pipes, and of one more that tells whether it was started. */
const FILES_OF_CHILD = 8;

/**
 * Throws the error that starting a program would end in, where not enough files can be opened for it. Node does not
 * close the pipes of a child that it could not open all of: each try would cost some until nobody can connect any more.
 */
export function checkFilesLeft(): void {
  if (platform() === 'win32') return;
  const opened: number[] = [];
  try {
    while (opened.length < FILES_OF_CHILD) opened.push(openSync(devNull, 'r'));
  } finally {
    for (const file of opened) closeSync(file);
  }
}
