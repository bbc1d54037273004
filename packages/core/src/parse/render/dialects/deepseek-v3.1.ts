import { jsonText } from '../json-text.ts';
import { plainText } from '../plain-text.ts';
import type { RenderableCall, RenderDialect } from '../render-dialect.ts';
import { checkSpelling } from '../check-spelling.ts';
import { signatureOf } from '../tool-list.ts';

const MARKERS = [
  '<｜tool▁calls▁begin｜>',
  '<｜tool▁calls▁end｜>',
  '<｜tool▁call▁begin｜>',
  '<｜tool▁call▁end｜>',
  '<｜tool▁sep｜>',
  '<｜tool▁output▁begin｜>',
  '<｜tool▁output▁end｜>',
  '<｜end▁of▁sentence｜>',
];
const NAME = /^[^\s<>|｜]{1,200}$/;

/** `<｜tool▁call▁begin｜>NAME<｜tool▁sep｜>{…}<｜tool▁call▁end｜>`, of DeepSeek V3.1. */
export const deepseekV31: RenderDialect = {
  format: 'deepseek-v3.1',
  writeCalls: section,
  writeResult: (result) =>
    `<｜tool▁output▁begin｜>${plainText(result, MARKERS)}<｜tool▁output▁end｜>`,
  writePrompt: (tools, example) =>
    `## Tools
You have access to the following tools, each with the JSON Schema of its parameters:

${tools.map((tool) => jsonText(signatureOf(tool), MARKERS)).join('\n')}

IMPORTANT: ALWAYS adhere to this exact format for tool use: the tool's name, <｜tool▁sep｜>, then its arguments as valid JSON, such as:

${section([example])}

For several calls, repeat <｜tool▁call▁begin｜>…<｜tool▁call▁end｜> within the same <｜tool▁calls▁begin｜>…<｜tool▁calls▁end｜>, without separators or spaces. The results come back between <｜tool▁output▁begin｜> and <｜tool▁output▁end｜>. If no tool is needed, answer without these markers.`,
};

function section(calls: readonly RenderableCall[]): string {
  const written = calls.map(({ name, arguments: args }) => {
    checkSpelling('deepseek-v3.1', name, NAME);
    return `<｜tool▁call▁begin｜>${name}<｜tool▁sep｜>${jsonText(args, MARKERS)}<｜tool▁call▁end｜>`;
  });
  return `<｜tool▁calls▁begin｜>${written.join('')}<｜tool▁calls▁end｜>`;
}
