/** Words in the names of models that always reason, and whose templates open the block in the prompt. */
const FAMILIES: readonly (readonly string[])[] = [
  ['deepseek-r1'],
  ['minimax-m2'],
  ['qwen3', 'thinking'],
  ['qwq'],
];

/** Whether the model is of a family whose answers begin inside a reasoning block. */
export function opensReasoning(model: string): boolean {
  const name = model.toLowerCase();
  return FAMILIES.some((words) => words.every((word) => name.includes(word)));
}
