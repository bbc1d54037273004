/** The least of SVG that the plots need. Colours follow the reader's theme; each plot has a ground of its own, so that it can be read on any page. */

const WIDTH = 760;
const NOTE_LINE = 18;

const STYLE = `
  .ground { fill: #ffffff; stroke: #d0d7de; }
  text { fill: #1f2328; font: 13px system-ui, -apple-system, "Segoe UI", sans-serif; }
  .title { font-size: 16px; font-weight: 600; }
  .heading { font-weight: 600; }
  .note { fill: #59636e; font-size: 12px; }
  .grid { stroke: #d8dee4; }
  .ours { fill: #0969da; stroke: #0969da; }
  .peer { fill: #8c959f; stroke: #8c959f; }
  .floor { fill: #d0d7de; stroke: #8c959f; }
  path.ours, path.peer, path.floor { fill: none; stroke-width: 2.5; }
  text.ours { fill: #0969da; stroke: none; font-weight: 600; }
  text.peer, text.floor { fill: #59636e; stroke: none; }
  @media (prefers-color-scheme: dark) {
    .ground { fill: #0d1117; stroke: #3d444d; }
    text { fill: #f0f6fc; }
    .note { fill: #9198a1; }
    .grid { stroke: #2a313c; }
    .ours { fill: #4493f8; stroke: #4493f8; }
    .peer { fill: #848d97; stroke: #848d97; }
    .floor { fill: #3d444d; stroke: #848d97; }
    text.ours { fill: #4493f8; }
    text.peer, text.floor { fill: #9198a1; }
  }`;

export function escapeXml(text) {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** An element; attributes that are undefined are left out. */
export function element(name, attributes, ...children) {
  const written = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}="${escapeXml(String(round(value)))}"`)
    .join('');
  return children.length === 0
    ? `<${name}${written}/>`
    : `<${name}${written}>${children.join('')}</${name}>`;
}

const round = (value) => (typeof value === 'number' ? Math.round(value * 10) / 10 : value);

export const text = (x, y, content, attributes = {}) =>
  element('text', { x, y, ...attributes }, escapeXml(content));

/** The picture: `title` is shown and told, `alt` says in words what it shows; `notes` are lines below the rest. */
export function picture({ title, alt, notes, height, body }) {
  const total = height + notes.length * NOTE_LINE;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${total}" width="${WIDTH}" height="${total}" role="img" aria-labelledby="title alt">`,
    `<title id="title">${escapeXml(title)}</title>`,
    `<desc id="alt">${escapeXml(alt)}</desc>`,
    `<style>${STYLE}\n</style>`,
    element('rect', {
      class: 'ground',
      x: 0.5,
      y: 0.5,
      width: WIDTH - 1,
      height: total - 1,
      rx: 6,
    }),
    text(20, 30, title, { class: 'title' }),
    ...body,
    ...notes.map((note, at) => text(20, height + at * NOTE_LINE, note, { class: 'note' })),
    '</svg>',
    '',
  ].join('\n');
}

export { WIDTH };
