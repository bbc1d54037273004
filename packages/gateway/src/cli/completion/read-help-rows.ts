const GAP = / {2,}/;
/** A command, or an option with its dashes; a row may be about several. */
const NAME = /(?<![\w<-])-{0,2}[a-z][\w-]+/g;

/**
 * The rows below a heading of a help, by their names: a command, or an option with its dashes. A description may go
 * over several lines; what stands in parentheses, and behind its first stop, is left out.
 */
export function readHelpRows(help: string, heading: string): ReadonlyMap<string, string> {
  const lines = help.split('\n');
  const rows: { readonly names: readonly string[]; text: string }[] = [];
  for (const line of lines.slice(lines.indexOf(heading) + 1)) {
    if (!line.startsWith('  ')) break;
    const [head = '', ...text] = line.slice(2).split(GAP);
    if (head !== '') rows.push({ names: namesIn(head), text: '' });
    const row = rows.at(-1);
    if (row !== undefined) row.text += ` ${text.join(' ')}`;
  }
  return new Map(rows.flatMap(({ names, text }) => names.map((name) => [name, shortened(text)])));
}

/** Of `start`, `-f, --follow` or `--user, --project, --root <dir>`. */
function namesIn(head: string): readonly string[] {
  const names = head.match(NAME) ?? [];
  return head.startsWith('-') ? names.filter((name) => name.startsWith('--')) : names.slice(0, 1);
}

function shortened(text: string): string {
  const said = text.replace(/ \([^()]*\)/g, '').split(/;|: /, 1)[0] ?? '';
  return said.trim();
}
