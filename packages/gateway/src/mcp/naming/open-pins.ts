import type { Logger } from '../../log/logger.ts';
import { openPinFile } from './pin-file.ts';
import { ToolPins } from './tool-pins.ts';

/** What is known of tools: what a file says, or nothing yet. Throws where the file holds something else. */
export function openPins(file: string | undefined, log: Logger): ToolPins {
  return new ToolPins(file === undefined ? undefined : openPinFile(file, log));
}
