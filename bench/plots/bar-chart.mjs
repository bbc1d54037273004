import { element, picture, text, WIDTH } from './svg.mjs';

const LABEL_END = 250;
const BAR_END = WIDTH - 110;
const ROW = 24;
const HEADING = 32;
const TOP = 46;
const BOTTOM = 26;

/**
 * Bars that lie, in groups with a heading: `{ heading, unit, bars: [{ label, value, told, kind }] }`, where `kind` is
 * `ours`, `peer` or `floor` and `told` the value in words. With `isLog`, each tenfold has the same width.
 */
export function barChart({ title, alt, notes, groups, isLog = false }) {
  const body = [];
  let y = TOP;
  for (const { heading, bars } of groups) {
    y += HEADING;
    body.push(text(20, y - 10, heading, { class: 'heading' }));
    const scale = scaleOf(bars, isLog);
    for (const { label, value, told, kind } of bars) {
      const middle = y + ROW / 2 + 4;
      const width = Math.max(2, scale(value) * (BAR_END - LABEL_END));
      body.push(
        text(LABEL_END - 8, middle, label, { class: kind, 'text-anchor': 'end' }),
        element('rect', { class: kind, x: LABEL_END, y: y + 4, width, height: ROW - 8, rx: 2 }),
        text(LABEL_END + width + 8, middle, told, { class: kind }),
      );
      y += ROW;
    }
  }
  return picture({ title, alt, notes, height: y + BOTTOM, body });
}

/** From a value to its share of the width. */
export function scaleOf(bars, isLog) {
  const values = bars.map(({ value }) => value);
  const most = Math.max(...values);
  if (!isLog) return (value) => value / most;
  // A whole tenfold below the least, so that it has a bar as well.
  const least = 10 ** (Math.floor(Math.log10(Math.min(...values))) - 0.3);
  return (value) => Math.log10(value / least) / Math.log10(most / least);
}
