import { element, picture, text, WIDTH } from './svg.mjs';

const LEFT = 80;
const RIGHT = WIDTH - 210;
const TOP = 60;
const HEIGHT = 260;
const BOTTOM = 56;
/** Labels closer than this would lie on each other. */
const LABEL_LINE = 16;

const DASHES = { ours: undefined, peer: '7 5', floor: '2 4' };

/** Lines over sizes that grow tenfold, both axes by tenfolds: `{ label, kind, points: [value or undefined] }`. */
export function lineChart({ title, alt, notes, sizes, series, unit }) {
  const values = series.flatMap(({ points }) => points).filter((value) => value !== undefined);
  const least = Math.floor(Math.log10(Math.min(...values)));
  const most = Math.ceil(Math.log10(Math.max(...values)));
  const toX = (at) => LEFT + (at / (sizes.length - 1)) * (RIGHT - LEFT);
  const toY = (value) => TOP + ((most - Math.log10(value)) / (most - least)) * HEIGHT;
  const body = [];
  for (let power = least; power <= most; power++) {
    const y = toY(10 ** power);
    body.push(
      element('line', { class: 'grid', x1: LEFT, x2: RIGHT, y1: y, y2: y }),
      text(LEFT - 8, y + 4, `${tellTenfold(power)} ${unit}`, { 'text-anchor': 'end' }),
    );
  }
  sizes.forEach((size, at) =>
    body.push(text(toX(at), TOP + HEIGHT + 22, size, { 'text-anchor': 'middle' })),
  );
  const taken = [];
  for (const { label, kind, points } of series) {
    const placed = points.flatMap((value, at) =>
      value === undefined ? [] : [{ x: toX(at), y: toY(value) }],
    );
    const d = placed.map(
      ({ x, y }, at) => `${at === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`,
    );
    const last = placed.at(-1);
    body.push(
      element('path', { class: kind, d: d.join(' '), 'stroke-dasharray': DASHES[kind] }),
      ...placed.map(({ x, y }) => element('circle', { class: kind, cx: x, cy: y, r: 4 })),
      text(last.x + 10, freeLine(taken, last.y + 4), label, { class: kind }),
    );
  }
  return picture({ title, alt, notes, height: TOP + HEIGHT + BOTTOM, body });
}

const tellTenfold = (power) =>
  power < 0 ? (10 ** power).toFixed(-power) : (10 ** power).toLocaleString('en-US');

/** The place nearest below `y` where no label stands yet. */
function freeLine(taken, y) {
  const isTaken = (place) => taken.some((other) => Math.abs(other - place) < LABEL_LINE);
  let place = y;
  while (isTaken(place)) place += LABEL_LINE;
  taken.push(place);
  return place;
}
