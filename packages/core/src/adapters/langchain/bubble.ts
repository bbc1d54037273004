import { isRecord } from '../../advise/conversation/record.ts';

/** What LangGraph throws to have the graph go elsewhere: an interrupt, a command for a parent. No failure. */
export class Bubble {
  readonly error: unknown;

  constructor(error: unknown) {
    this.error = error;
  }

  /** Does some work; what bubbles up is its value. */
  static async catch(work: () => unknown): Promise<unknown> {
    try {
      return await work();
    } catch (error) {
      if (isRecord(error) && error['is_bubble_up'] === true) return new Bubble(error);
      throw error;
    }
  }

  /** Lets a value go on its way up. */
  static release(value: unknown): unknown {
    if (value instanceof Bubble) throw value.error;
    return value;
  }
}
