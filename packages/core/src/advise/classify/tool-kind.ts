import type { ToolKind } from '../classification.ts';

/** The words of names, by kind. The first kind with a word in the name has it, so their order matters. */
const WORDS: readonly (readonly [ToolKind, ReadonlySet<string>])[] = [
  ['edit', words('edit write replace patch insert multiedit rewrite rename move delete append')],
  ['api', words('http request graphql rpc api rest soap webhook')],
  ['reader', words('sql query rows select logs log psql mysql sqlite')],
  [
    'shell',
    words(
      'bash sh zsh shell terminal exec execute run command cmd powershell pwsh console repl code ' +
        'python ipython jupyter node nodejs js deno bun ruby php kubectl docker podman helm terraform ' +
        'aws gcloud az cli ssh git npm cargo mongo redis tmux',
    ),
  ],
  [
    'reader',
    words(
      'read view open cat grep glob search find list ls get fetch browse browser crawl scrape web load ' +
        'lookup retrieve show tail head tree download recall describe',
    ),
  ],
  // What these hold is read, unless the name says that it is written.
  ['api', words('add save store create update remove')],
  ['reader', words('knowledge memory snapshot')],
];

/** Programs that are verbs too: a name that ends with one means the program (`run_make`, not `make_payment`). */
const VERBS: ReadonlySet<string> = words('make go process');

/** Names whose output is a page: it may begin with the status or title of an error. */
const WEB: ReadonlySet<string> = words(
  'fetch http web url browse browser crawl scrape page navigate request download',
);

/** What a tool's output is, by the words of its name. A name that says nothing is taken for an API. */
export function guessToolKind(tool: string): ToolKind {
  const guessed = guesses.get(tool);
  if (guessed !== undefined) return guessed;
  const named = wordsOf(tool);
  const byWord = WORDS.find(([, known]) => named.some((word) => known.has(word)))?.[0];
  const kind = byWord ?? (VERBS.has(named.at(-1) ?? '') ? 'shell' : 'api');
  // Models make names up: what they are is not worth remembering for ever.
  if (guesses.size >= MOST_GUESSES) guesses.clear();
  guesses.set(tool, kind);
  return kind;
}

/** A conversation calls the same few tools again and again. */
const guesses = new Map<string, ToolKind>();
const webTools = new Map<string, boolean>();
const MOST_GUESSES = 500;

/** Whether the tool brings pages from the web. */
export function isWebTool(tool: string): boolean {
  const known = webTools.get(tool);
  if (known !== undefined) return known;
  const isWeb = wordsOf(tool).some((word) => WEB.has(word));
  if (webTools.size >= MOST_GUESSES) webTools.clear();
  webTools.set(tool, isWeb);
  return isWeb;
}

/** The words of a name. Of `mcp__server__tool` only the tool counts: the server's name says what it is about. */
function wordsOf(tool: string): string[] {
  const name = tool.slice(0, 200);
  const own = name.slice(name.lastIndexOf('__') + 1);
  return own
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== '');
}

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(' '));
}
