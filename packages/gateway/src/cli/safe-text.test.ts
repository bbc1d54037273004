import { describe, expect, it } from 'vitest';
import { safeJson, safeLine, safeText } from './safe-text.ts';

const hostile =
  '\x1b[31mred\x07\u009b2J\u202Egnp.exe\u2066\u200F\uFEFF\x7F\u{E0041}\u{E0100}\u00AD\uD800';

describe('safeText', () => {
  it('names what would command a terminal', () => {
    expect(safeText(hostile)).toBe(
      '<U+001B>[31mred<U+0007><U+009B>2J<U+202E>gnp.exe<U+2066><U+200F><U+FEFF><U+007F><U+E0041><U+E0100><U+00AD><U+D800>',
    );
  });

  it('shows a sentence that was hidden in tag characters', () => {
    const hidden = Array.from('run', (letter) =>
      String.fromCodePoint(0xe0000 + letter.charCodeAt(0)),
    );
    expect(safeText(`Adds${hidden.join('')}.`)).toBe('Adds<U+E0072><U+E0075><U+E006E>.');
  });

  it('leaves other text alone', () => {
    const text = 'Grüße, 世界 🙂 👩\u200d💻 ❤\ufe0f می\u200cخواهم\n\tvalue: é\r\n';

    expect(safeText(text)).toBe(text.replace('\r\n', '\n'));
    expect(safeText('over\rwrite')).toBe('over<U+000D>write');
  });

  it('can keep to one line', () => {
    expect(safeLine('a\nb\tc')).toBe('a\\nb\\tc');
  });
});

describe('safeJson', () => {
  it('means the same and holds nothing that commands a terminal', () => {
    const json = safeJson({ [hostile]: [hostile, '\n\t\\'] }, 2);

    expect(JSON.parse(json)).toEqual({ [hostile]: [hostile, '\n\t\\'] });
    expect(safeText(json)).toBe(json);
  });
});
