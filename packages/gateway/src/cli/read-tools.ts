import type { ToolDefinition } from '@holdfast/core/parse';
import { readToolList, ToolListError } from '../read-tool-list.ts';
import type { Io } from './io.ts';
import { Misuse } from './misuse.ts';
import { parseJsonFile } from './parse-json-file.ts';
import { readWholeText } from './read-text.ts';

/** The tools of a JSON file, in any of the shapes that are known. */
export async function readTools(file: string, io: Io): Promise<readonly ToolDefinition[]> {
  const value = parseJsonFile(file, await readWholeText(file, io));
  try {
    return readToolList(file, value);
  } catch (error) {
    throw error instanceof ToolListError ? new Misuse(error.message) : error;
  }
}
