import type { AdviceEntry } from './advice-entry.ts';
import type { FailureParent, FailureType } from './classification.ts';

/** What is asked of the map: which tool failed, and how. */
export interface AdviceQuery {
  readonly tool: string;
  /** A shell, by whatever name, also has the advice of `code_execution_tool`. */
  readonly isShell: boolean;
  readonly type: FailureType;
  readonly parent: FailureParent | undefined;
}

/** Entries by tool and type. Of two for the same, the later one counts. */
export class AdviceTable {
  readonly #texts = new Map<string, string>();

  constructor(...lists: readonly (readonly AdviceEntry[])[]) {
    for (const { tool, type, text } of lists.flat()) this.#texts.set(`${type} ${tool}`, text);
  }

  /**
   * The advice for a failure: for the tool and its type, for the tool and any type, for any tool and the
   * type. At each step the finer type comes before the one it lies under.
   */
  find({ tool, isShell, type, parent }: AdviceQuery): string | undefined {
    const tools = [tool, ...(isShell ? ['code_execution_tool'] : []), 'any'];
    for (const name of tools)
      for (const wanted of [type, parent, 'any']) {
        const text = wanted === undefined ? undefined : this.#texts.get(`${wanted} ${name}`);
        if (text !== undefined) return text;
      }
    return undefined;
  }
}
