import { COMMANDS } from '../../packages/gateway/src/cli/commands.ts';
import { hookHelp, mainHelp } from '../../packages/gateway/src/cli/help.ts';

/** What `holdfast --help` and the help of every command print. */
export async function cliPage(): Promise<string> {
  const commands = await Promise.all(COMMANDS.map(({ load }) => load()));
  const helps = [...commands, { name: 'hook', help: hookHelp }];
  const sections = helps.map(({ name, help }) => `## holdfast ${name}\n\n${fenced(help)}`);
  return `# Reference: the command line

What \`holdfast --help\` and the help of every command print. [The command line](../cli.md) explains them, with examples.

${fenced(mainHelp)}

${sections.join('\n\n')}
`;
}

function fenced(text: string): string {
  return `\`\`\`text\n${text.trimEnd()}\n\`\`\``;
}
