import { jsonText } from '../json-text.ts';
import { disarmed } from '../plain-text.ts';
import type { RenderableCall, RenderDialect } from '../render-dialect.ts';
import { checkSpelling } from '../check-spelling.ts';
import { typescriptSignature } from '../typescript-signature.ts';

const MARKERS = [
  '<|start|>',
  '<|end|>',
  '<|message|>',
  '<|channel|>',
  '<|constrain|>',
  '<|return|>',
  '<|call|>',
];
/** Not the other two that a message can be addressed to. */
const NAME = /^(?!(?:assistant|user)$)[^\s<>|]{1,100}$/;

/** `<|channel|>commentary to=functions.NAME <|constrain|>json<|message|>{…}<|call|>`, of gpt-oss. */
export const harmony: RenderDialect = {
  format: 'harmony',
  writeCalls: messages,
  writeResult: ({ name, content, isError = false }) => {
    const text = jsonText(isError ? { error: content } : content, MARKERS);
    return `<|start|>functions.${name} to=assistant<|channel|>commentary<|message|>${text}<|end|>`;
  },
  writePrompt: (tools, example) =>
    `# Tools

Calls to these tools must go to the commentary channel: 'functions'.

## functions

namespace functions {

${disarmed(tools.map(typescriptSignature).join('\n\n'), MARKERS)}

} // namespace functions

A call is a message of its own, with the arguments as JSON, such as:
${messages([example])}
For several calls, write several such messages. If no tool is needed, answer on the final channel.`,
};

function messages(calls: readonly RenderableCall[]): string {
  const written = calls.map(({ name, arguments: args }) => {
    checkSpelling('harmony', name, NAME);
    const header = `<|start|>assistant<|channel|>commentary to=functions.${name} <|constrain|>json`;
    return `${header}<|message|>${jsonText(args, MARKERS)}<|call|>`;
  });
  return written.join('');
}
