import { jsonText } from '../json-text.ts';
import { plainText } from '../plain-text.ts';
import type { RenderableCall, RenderDialect } from '../render-dialect.ts';
import { checkSpelling } from '../check-spelling.ts';
import { signatureOf } from '../tool-list.ts';

/** What begins a step of the loop when it stands at the start of a line. */
const STEPS = ['\nAction', '\nObservation', '\nThought', '\nFinal Answer', '\nQuestion'];
/** Anything else on that line is prose. */
const NAME = /^[\w./:-]{1,100}$/;

/** `Action: NAME` and `Action Input: {…}`, of the ReAct loop. */
export const react: RenderDialect = {
  format: 'react',
  writeCalls: (calls) => calls.map(step).join('\n'),
  writeResult: (result) => `Observation: ${plainText(result, STEPS)}`,
  writePrompt: (tools, example) =>
    `Answer the following questions as best you can. You have access to the following tools, each with the JSON Schema of its input:

${tools.map((tool) => jsonText(signatureOf(tool))).join('\n')}

Use the following format:

Question: the input question you must answer
Thought: what to do next
Action: the tool to use, one of [${tools.map(({ name }) => name).join(', ')}]
Action Input: the input of the tool, a JSON object on one line
Observation: the result of the tool
... (Thought, Action, Action Input and Observation can repeat)
Thought: I now know the final answer
Final Answer: the final answer to the original question

For example:
${step(example)}

Stop after Action Input: the Observation is given to you. To use several tools at once, write several pairs of Action and Action Input. If no tool is needed, go straight to the Final Answer.`,
};

function step({ name, arguments: args }: RenderableCall): string {
  checkSpelling('react', name, NAME);
  return `Action: ${name}\nAction Input: ${jsonText(args)}`;
}
