import type { CompletedCommand, CompletedOption } from './completed-command.ts';

/** A script that makes bash complete; what it has no words for, bash completes as files. */
export function writeBash(commands: readonly CompletedCommand[]): string {
  const names = commands.map(({ name }) => name).join(' ');
  return `# Completion of holdfast for bash: source <(holdfast completion bash)
_holdfast() {
  local word=\${COMP_WORDS[COMP_CWORD]} option=\${COMP_WORDS[COMP_CWORD-1]} words='' at
  COMPREPLY=()
  # Of --log=debug bash makes three words.
  if [[ $word == '=' ]]; then
    word=''
  elif [[ $option == '=' ]]; then
    option=\${COMP_WORDS[COMP_CWORD-2]}
  fi
  if [[ $COMP_CWORD -eq 1 ]]; then
    COMPREPLY=($(compgen -W '${names} --help --version' -- "$word"))
    return
  fi
  # What stands behind -- is for another program.
  for ((at = 2; at < COMP_CWORD; at++)); do
    [[ \${COMP_WORDS[at]} == '--' ]] && return
  done
  case \${COMP_WORDS[1]} in
${commands.map(caseOf).join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o default -F _holdfast holdfast
`;
}

function caseOf({ name, options, argument }: CompletedCommand): string {
  const withWords = options.filter(({ words }) => words.length > 0);
  const withoutWords = options.filter(
    ({ value, words }) => value === 'needed' && words.length === 0,
  );
  const spelled = options.flatMap(spellings).join(' ');
  const words = typeof argument === 'string' ? '' : argument.join(' ');
  const rest =
    argument === 'other'
      ? `words='${spelled}'`
      : `if [[ $word == -* ]]; then words='${spelled}'; else words='${words}'; fi`;
  const patterns = [
    ...withWords.map((option) => `${alternatives([option])}) words='${option.words.join(' ')}'`),
    ...(withoutWords.length === 0 ? [] : [`${alternatives(withoutWords)}) return`]),
    `*) ${rest}`,
  ];
  return `    ${name})
      case $option in
${patterns.map((pattern) => `        ${pattern} ;;`).join('\n')}
      esac
      ;;`;
}

function alternatives(options: readonly CompletedOption[]): string {
  return options.flatMap(spellings).join('|');
}

function spellings({ name, short }: CompletedOption): readonly string[] {
  return [...(short === undefined ? [] : [`-${short}`]), `--${name}`];
}
