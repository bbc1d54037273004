import { createToolCallStream } from '@holdfast/core/parse';
import type { ParseEvent, ToolCall } from '@holdfast/core/parse';
import type { Command } from './command.ts';
import { findPlayCases } from './play-cases.ts';
import { PlayScreen } from './play-screen.ts';
import { describeCall } from './describe-call.ts';
import { EXIT } from './exit-codes.ts';
import { playHelp } from './help.ts';
import { Misuse } from './misuse.ts';
import { readWholeText } from './read-text.ts';
import { safeLine, safeText } from './safe-text.ts';
import { stylesFor } from './style.ts';
import type { Styles } from './style.ts';

/** Between two chunks, and between two cases. */
const CHUNK_PAUSE_MS = 20;
const CASE_PAUSE_MS = 700;

export const playCommand: Command = {
  name: 'play',
  help: playHelp,
  options: { fast: 'flag' },

  async run({ flags, positionals }, io) {
    const [folder] = positionals;
    if (positionals.length > 1) {
      throw new Misuse(`expected one folder, got ${positionals.length}: ${positionals.join(' ')}`);
    }
    const cases = await findPlayCases(folder);
    const styles = stylesFor(io);
    const screen = new PlayScreen(io.stdout, styles);
    const isPaced = io.stdout.isTerminal && !flags.has('fast');
    const pause = async (ms: number): Promise<void> => {
      await (isPaced ? io.sleep(ms) : io.stdout.drained());
    };
    const calls: ToolCall[] = [];
    for (const [index, { title, file }] of cases.entries()) {
      if (index > 0) await pause(CASE_PAUSE_MS);
      const text = await readWholeText(file, io);
      screen.heading(`${index + 1}/${cases.length} ${title}`);
      calls.push(...(await play(text, screen, styles, () => pause(CHUNK_PAUSE_MS))));
      screen.gap();
    }
    io.stdout.write(summary(cases.length, calls));
    return EXIT.ok;
  },
};

/** Streams one output through the engine. Returns its calls. */
async function play(
  text: string,
  screen: PlayScreen,
  styles: Styles,
  pause: () => Promise<void>,
): Promise<readonly ToolCall[]> {
  const calls: ToolCall[] = [];
  const passage = new Passage(screen, styles);
  const stream = createToolCallStream({
    onEvent: (event) => {
      // A call is shown once it is certain, so its start and its fragments say nothing here.
      if (passage.take(event) || event.type === 'call-start' || event.type === 'call-delta') return;
      passage.show();
      if (event.type === 'call-end') {
        calls.push(event.call);
        showCall(event.call, screen, styles);
      } else if (event.type === 'issue') {
        const { code, message } = event.issue;
        screen.recognised('issue', styles.yellow, `${code}: ${safeLine(message)}`);
      }
    },
  });
  for (const chunk of chunksOf(text)) {
    screen.raw(chunk);
    stream.feed(chunk);
    await pause();
  }
  stream.end();
  passage.show();
  return calls;
}

function showCall(call: ToolCall, screen: PlayScreen, styles: Styles): void {
  const { head, tag } = describeCall(call);
  const style = call.repairs.length > 0 ? styles.yellow : styles.dim;
  screen.recognised('call', styles.green, head, { text: `[${tag}]`, style });
}

/** Gathers text, reasoning or control tokens, which arrive in small pieces, until something else follows. */
class Passage {
  readonly #screen: PlayScreen;
  readonly #styles: Styles;
  #label: Label = 'text';
  #text = '';

  constructor(screen: PlayScreen, styles: Styles) {
    this.#screen = screen;
    this.#styles = styles;
  }

  /** Returns whether the event was a piece of a passage. */
  take(event: ParseEvent): boolean {
    if (event.type === 'text-delta') this.#add('text', event.text);
    else if (event.type === 'reasoning-delta') this.#add('think', event.text);
    else if (event.type === 'markup') this.#add('mark', event.raw);
    else return false;
    return true;
  }

  show(): void {
    const text = safeText(this.#text).trim();
    this.#text = '';
    if (text === '') return;
    const style = this.#label === 'mark' ? this.#styles.dim : this.#styles.cyan;
    this.#screen.recognised(this.#label, style, text);
  }

  #add(label: Label, text: string): void {
    if (label !== this.#label) this.show();
    this.#label = label;
    this.#text += text;
  }
}

type Label = 'text' | 'think' | 'mark';

/** About as a model writes: up to six characters, and the space before them. */
function chunksOf(text: string): readonly string[] {
  return text.match(/\s*\S{1,6}|\s+/gu) ?? [];
}

function summary(outputCount: number, calls: readonly ToolCall[]): string {
  const formats = new Set(calls.map((call) => call.format));
  const repaired = calls.filter((call) => call.repairs.length > 0).length;
  const counts = `${count(outputCount, 'output')}: ${count(calls.length, 'call')}`;
  return (
    `${counts} in ${count(formats.size, 'format')}, ${repaired} of them repaired.\n` +
    'Read your own: holdfast parse --explain <file>\n'
  );
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
