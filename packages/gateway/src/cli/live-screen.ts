import type { Io, Output } from './io.ts';

const KEY_INTERRUPT = '\x03';
const ENTER = '\x1b[?1049h\x1b[?25l';
const LEAVE = '\x1b[?25h\x1b[?1049l';

/** A terminal that is drawn anew, until it is closed or somebody presses q or Ctrl-C. */
export class LiveScreen {
  readonly #output: Output;
  readonly #stop = new AbortController();
  readonly #undo: readonly (() => void)[];

  constructor(io: Io) {
    this.#output = io.stdout;
    const stop = (): void => this.#stop.abort();
    this.#undo = [
      io.onSignal('SIGINT', stop),
      io.onSignal('SIGTERM', stop),
      io.onSignal('SIGHUP', stop),
      io.onKey((key) => {
        if (key === 'q' || key === 'Q' || key === KEY_INTERRUPT) stop();
      }),
    ];
    this.#output.write(ENTER);
  }

  /** Aborts when it is to end. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  get width(): number {
    return this.#output.columns ?? 80;
  }

  get height(): number {
    return this.#output.rows ?? 24;
  }

  /** In one go, line by line over what was there, so that nothing flickers. */
  draw(lines: readonly string[]): void {
    const shown = lines.slice(0, this.height);
    this.#output.write(`\x1b[H${shown.map((line) => `${line}\x1b[K`).join('\r\n')}\x1b[J`);
  }

  /** Gives the terminal back as it was. */
  close(): void {
    this.#output.write(LEAVE);
    for (const undo of this.#undo) undo();
  }
}
