import type { Io } from './io.ts';
import { safeLine } from './safe-text.ts';
import { cutLine } from './cut-line.ts';

/** What takes less is over before anybody has read that it runs. */
const SHOW_AFTER_MS = 1_000;
const STEP_MS = 100;
const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];

/**
 * Waits for work, and shows on a terminal what is waited for once that takes longer than a second. It is shown on
 * standard error and wiped away again, so that the output is the same whether anybody looks.
 */
export async function withProgress<Result>(
  io: Io,
  label: string,
  work: Promise<Result>,
): Promise<Result> {
  const { stderr, env } = io;
  if (!stderr.isTerminal || env['TERM'] === 'dumb') return work;
  const over = new AbortController();
  const shown = spin(io, safeLine(label), over.signal);
  try {
    return await work;
  } finally {
    over.abort();
    await shown;
  }
}

async function spin({ stderr, sleep }: Io, label: string, signal: AbortSignal): Promise<void> {
  let step = 0;
  for (let pauseMs = SHOW_AFTER_MS; ; pauseMs = STEP_MS, step++) {
    await sleep(pauseMs, signal);
    if (signal.aborted) break;
    const seconds = Math.floor((SHOW_AFTER_MS + step * STEP_MS) / 1000);
    const line = `${FRAMES[step % FRAMES.length] ?? ''} ${label} (${seconds} s)`;
    stderr.write(`\r${cutLine(line, stderr.columns ?? Infinity)}`);
  }
  if (step > 0) stderr.write('\r\x1b[K');
}
