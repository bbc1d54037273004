import type { CompletedCommand, CompletedOption } from './completed-command.ts';

/** A script that makes fish complete. */
export function writeFish(commands: readonly CompletedCommand[]): string {
  return `# Completion of holdfast for fish: holdfast completion fish | source
complete -c holdfast -f
complete -c holdfast -n __fish_use_subcommand -s h -l help -d 'show the commands'
complete -c holdfast -n __fish_use_subcommand -l version -d 'show the version'
${commands.map(linesOf).join('\n')}
`;
}

function linesOf({ name, description, options, argument }: CompletedCommand): string {
  const within = `complete -c holdfast -n '__fish_seen_subcommand_from ${name}'`;
  return [
    `complete -c holdfast -n __fish_use_subcommand -a ${name} -d ${quoted(description)}`,
    ...options.map((option) => `${within} ${optionOf(option)}`),
    ...(argument === 'file' ? [`${within} -F`] : []),
    ...(typeof argument === 'string' ? [] : [`${within} -a ${quoted(argument.join(' '))}`]),
  ].join('\n');
}

function optionOf({ name, short, description, value, words }: CompletedOption): string {
  const parts = [
    ...(short === undefined ? [] : [`-s ${short}`]),
    `-l ${name}`,
    ...(value === 'needed' ? [words.length > 0 ? '-x' : '-r -F'] : []),
    ...(words.length > 0 ? [`-a ${quoted(words.join(' '))}`] : []),
    `-d ${quoted(description)}`,
  ];
  return parts.join(' ');
}

function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, String.raw`\$&`)}'`;
}
