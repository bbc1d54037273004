import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

/** A segment while it is written to. Tests have one whose disk is full. */
export interface SegmentFile {
  /** How large it is; undefined where somebody has removed it, and what is written would be seen by nobody. */
  bytes(): Promise<number | undefined>;
  /** Rejects where not all of it could be written. */
  append(text: string): Promise<void>;
  close(): Promise<void>;
}

export type OpenSegmentFile = (path: string) => Promise<SegmentFile>;

/** A file that is there already, be it a link, is not opened: nobody else may write to the same one. */
const NEW = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_EXCL;

/** Makes the file of a new segment, for its owner only. */
export const makeSegmentFile: OpenSegmentFile = async (path) => {
  const file = await open(path, NEW, 0o600);
  return {
    bytes: async () => {
      const { size, nlink } = await file.stat();
      return nlink === 0 ? undefined : size;
    },
    append: (text) => file.appendFile(text),
    close: () => file.close(),
  };
};
