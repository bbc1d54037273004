import { InvalidOptionError, toolDefinitions } from '@holdfast/core/parse';
import type { ToolDefinition } from '@holdfast/core/parse';
import type { Io } from './io.ts';
import { Misuse } from './misuse.ts';
import { parseJsonFile } from './parse-json-file.ts';
import { readWholeText } from './read-text.ts';

/** The tools of a JSON file, in any of the shapes that are known. */
export async function readTools(file: string, io: Io): Promise<readonly ToolDefinition[]> {
  const value = parseJsonFile(file, await readWholeText(file, io));
  try {
    return toolDefinitions(value);
  } catch (error) {
    throw error instanceof InvalidOptionError ? new Misuse(`${file}: ${error.message}`) : error;
  }
}
