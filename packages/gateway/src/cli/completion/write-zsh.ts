import type { CompletedCommand, CompletedOption } from './completed-command.ts';

/** A script that makes zsh complete, sourced or as a file `_holdfast` on its path. */
export function writeZsh(commands: readonly CompletedCommand[]): string {
  const described = commands.map(
    ({ name, description }) => `    ${quoted(`${name}:${description}`)}`,
  );
  return `#compdef holdfast
# Completion of holdfast for zsh: source <(holdfast completion zsh), behind compinit
_holdfast() {
  local -a commands
  commands=(
${described.join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe -t commands command commands
    return
  fi
  # What stands behind -- is for another program.
  if (( \${words[(i)--]} < CURRENT )); then
    _files
    return
  fi
  shift words
  (( CURRENT-- ))
  case $words[1] in
${commands.map(caseOf).join('\n')}
  esac
}
if [[ \${funcstack[1]} == _holdfast ]]; then
  _holdfast "$@"
else
  compdef _holdfast holdfast
fi
`;
}

function caseOf({ name, options, argument }: CompletedCommand): string {
  const rest =
    argument === 'file'
      ? ["'*:file:_files'"]
      : argument === 'other'
        ? []
        : [`'1: :(${argument.join(' ')})'`];
  const lines = [...options.flatMap(specsOf), ...rest].map((spec) => `        ${spec}`);
  return `    ${name})
      _arguments \\
${lines.join(' \\\n')}
      ;;`;
}

function specsOf(option: CompletedOption): readonly string[] {
  const { name, short, description, value, isRepeated, words } = option;
  const about = `[${description.replace(/[[\]\\]/g, '\\$&')}]`;
  const values = words.length > 0 ? `(${words.join(' ')})` : '_files';
  const taken = { none: '', needed: `:${name}:${values}`, optional: `::${name}:${values}` }[value];
  const equals = { none: '', needed: '=', optional: '=-' }[value];
  const many = isRepeated ? '*' : '';
  return [
    ...(short === undefined ? [] : [quoted(`${many}-${short}${about}`)]),
    quoted(`${many}--${name}${equals}${about}${taken}`),
  ];
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
