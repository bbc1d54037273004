/** A line of the gateway's log. */
export interface LogLine {
  readonly level: string | number;
  readonly msg: string;
  readonly text: string;
}

const KEPT = 200;

/** Reads the log of the gateway as it comes: its last lines, and what it says of itself that it should not have to. */
export class LogWatch {
  readonly tail: string[] = [];
  readonly #errors: LogLine[] = [];
  readonly #counts = new Map<string, number>();
  #rest = '';

  feed(chunk: string): void {
    const lines = (this.#rest + chunk).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.#read(line);
  }

  /** How often it has logged this. */
  countOf(message: string): number {
    return this.#counts.get(message) ?? 0;
  }

  /** The errors since the last time, and lines that are no log, such as those of a process that falls. */
  takeErrors(): readonly LogLine[] {
    return this.#errors.splice(0);
  }

  #read(text: string): void {
    if (text === '') return;
    this.tail.push(text);
    if (this.tail.length > KEPT) this.tail.shift();
    const line = readLine(text);
    this.#counts.set(line.msg, this.countOf(line.msg) + 1);
    if (line.level === 'error' || line.level === 'fatal' || line.level === 'none')
      this.#errors.push(line);
  }
}

function readLine(text: string): LogLine {
  try {
    const { level, msg } = JSON.parse(text) as Partial<LogLine>;
    return { level: level ?? 'none', msg: msg ?? '', text };
  } catch {
    return { level: 'none', msg: text, text };
  }
}
