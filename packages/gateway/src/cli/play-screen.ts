import type { Output } from './io.ts';
import { safeText } from './safe-text.ts';
import type { Style, Styles } from './style.ts';
import { wrapText } from './wrap-text.ts';

const WIDTH = 78;
const GUTTER = '  │ ';
const LABEL_WIDTH = 8;

/**
 * Shows raw text as it arrives, behind a bar, and between its lines what was recognised. Each piece written
 * carries its colour and the end of it, so that an interrupted demo leaves no terminal dimmed.
 */
export class PlayScreen {
  readonly #output: Output;
  readonly #styles: Styles;
  /** Characters of raw text on the line at hand; -1 when none was begun. */
  #column = -1;
  /** What was recognised ended a line of raw text before its own line break. */
  #isBroken = false;

  constructor(output: Output, styles: Styles) {
    this.#output = output;
    this.#styles = styles;
  }

  heading(title: string): void {
    const start = `── ${safeText(title)} `;
    this.#output.write(`${this.#styles.bold(start.padEnd(WIDTH, '─'))}\n`);
  }

  raw(chunk: string): void {
    let out = '';
    for (const character of safeText(chunk).replaceAll('\t', '  ')) {
      if (character === '\n') {
        if (this.#isBroken) this.#isBroken = false;
        else out += `${this.#column < 0 ? GUTTER.trimEnd() : ''}\n`;
        this.#column = -1;
        continue;
      }
      this.#isBroken = false;
      if (this.#column >= WIDTH - GUTTER.length) {
        out += '\n';
        this.#column = -1;
      }
      if (this.#column < 0) {
        out += GUTTER;
        this.#column = 0;
      }
      out += character;
      this.#column++;
    }
    this.#output.write(this.#styles.dim(out));
  }

  /** One thing that was recognised: a label, what it is, and a remark below it. */
  recognised(
    label: string,
    style: Style,
    text: string,
    remark?: { readonly text: string; readonly style: Style },
  ): void {
    this.#endRawLine();
    const indent = ' '.repeat(LABEL_WIDTH);
    const lines = wrapText(text, WIDTH - LABEL_WIDTH).map((line) => indent + line);
    const first = `  ${style(label)}${(lines[0] ?? '').slice(2 + label.length)}`;
    const shown = [first, ...lines.slice(1)];
    if (remark !== undefined) {
      const remarks = wrapText(remark.text, WIDTH - LABEL_WIDTH);
      shown.push(...remarks.map((line) => indent + remark.style(line)));
    }
    this.#output.write(`${shown.map((line) => line.trimEnd()).join('\n')}\n`);
  }

  /** Ends a case. */
  gap(): void {
    this.#endRawLine();
    this.#isBroken = false;
    this.#output.write('\n');
  }

  #endRawLine(): void {
    if (this.#column < 0) return;
    this.#output.write('\n');
    this.#column = -1;
    this.#isBroken = true;
  }
}
