import { jsonrepair } from 'jsonrepair';
import { parse as parsePartial } from 'partial-json';

const OPEN = '<tool_call>';
const CLOSE = '</tool_call>';

/**
 * What a program does that has no library for calls: looks for the tag of the one format it expects, and gives
 * what is inside to a reader of JSON. With native `JSON.parse` it is the floor: nobody can read a call for less.
 */
export const tagReaders = [
  { name: 'tag and JSON.parse', read: inTag((text) => JSON.parse(text)) },
  { name: 'tag and jsonrepair', read: inTag((text) => JSON.parse(jsonrepair(text))) },
  { name: 'tag and partial-json', read: inTag((text) => parsePartial(text)) },
];

function inTag(read) {
  return (text) => {
    const from = text.indexOf(OPEN) + OPEN.length;
    const to = text.indexOf(CLOSE, from);
    return read(text.slice(from, to));
  };
}
