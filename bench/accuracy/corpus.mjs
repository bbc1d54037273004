import { readdirSync, readFileSync } from 'node:fs';

const corpus = new URL('../../corpus/', import.meta.url);
/** Texts shown to people, and texts in formats that a user adds, which only their author can read. */
const LEFT_OUT = ['demo', 'custom'];

/** The cases of our corpus, in the shape of the vectors of calls. */
export function readCorpus() {
  const folders = readdirSync(corpus).filter((name) => !LEFT_OUT.includes(name));
  return folders.flatMap((folder) => {
    const place = new URL(`${folder}/`, corpus);
    const names = readdirSync(place).filter((name) => name.endsWith('.txt'));
    return names.map((name) => readCase(place, folder, name.slice(0, -'.txt'.length)));
  });
}

function readCase(place, folder, name) {
  const input = readFileSync(new URL(`${name}.txt`, place), 'utf8');
  const {
    options = {},
    calls,
    formats = [],
  } = JSON.parse(readFileSync(new URL(`${name}.json`, place), 'utf8'));
  return {
    id: `${folder}/${name}`,
    // What a reader that has to be told is told: the format of the calls, or of the folder where there are none.
    format: formats[0] ?? folder,
    input,
    tools: options.tools,
    options,
    isPrefix: false,
    expected: {
      calls: calls.map(({ name: tool, arguments: args }) => ({ name: tool, arguments: args })),
    },
  };
}
