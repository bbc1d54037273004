import { describe, expect, test } from 'vitest';
import { createDefaultRegistry } from '../default-registry.ts';
import { FormatParser } from '../format-parser.ts';
import { parseToolCalls } from '../parse-tool-calls.ts';

const words = createDefaultRegistry()
  .list()
  .flatMap(({ name, parser }) =>
    parser instanceof FormatParser ? parser.models.map((word) => [word, name] as const) : [],
  );

const ARGUMENTS = '{"path": "a.md"}';
const PAIRS =
  '<tool_call>read_file\n<arg_key>path</arg_key>\n<arg_value>a.md</arg_value>\n</tool_call>';
const FUNCTION =
  '<tool_call>\n<function=read_file>\n<parameter=path>\na.md\n</parameter>\n</function>\n</tool_call>';

/** What models write that share a dialect with others. */
const MODELS: readonly (readonly [model: string, format: string, text: string])[] = [
  [
    'deepseek-ai/DeepSeek-V4.1',
    'deepseek-dsml',
    '<｜DSML｜ invoke name="read_file">{"path": "a.md"}</｜DSML｜ invoke>',
  ],
  ['zai-org/GLM-5.3-Flash', 'glm', `<tool_call>read_file>${ARGUMENTS}`],
  ['inclusionAI/Ling-3.0', 'glm', PAIRS],
  ['naver-hyperclovax/HyperCLOVAX-SEED-Think-32B', 'glm', PAIRS],
  ['iflytek/Spark-2.5-Flash', 'glm', PAIRS],
  ['iflytek/Spark3', 'glm', PAIRS],
  ['Tele-AI/TeleChat3-105B', 'glm', `<tool_call>read_file${ARGUMENTS}</tool_call>`],
  ['IQuestLab/IQuest-Coder-V2', 'glm', PAIRS.replaceAll('tool_call', 'iquestcoder_tool_call')],
  ['IQuestLab/IQuest-Coder-V1-40B', 'qwen3-coder', FUNCTION],
  ['BerryLM-1', 'qwen3-coder', FUNCTION],
  ['Aleph-Alpha/Kolibri-1', 'qwen3-coder', FUNCTION],
  ['internlm/Intern-S2-preview', 'qwen3-coder', FUNCTION],
  [
    'openPangu-2.0-Flash',
    'lfm2',
    `<|tool_call_start|>[{"name": "read_file", "arguments": ${ARGUMENTS}}]<|tool_call_end|>`,
  ],
  [
    'swiss-ai/Apertus-1.5-8B',
    'apertus',
    `<|tools_prefix|>[{"read_file": ${ARGUMENTS}}]<|tools_suffix|>`,
  ],
  [
    'llm-jp/llm-jp-4.1-33b-thinking',
    'harmony',
    `<|channel|> commentary to=functions.read_file <|constrain|> json <|message|> ${ARGUMENTS}<|call|>`,
  ],
  ['ibm-granite/granite-4.0-h-small', 'pythonic', '[read_file(path="a.md")]'],
  ['ibm-granite/granite-3.3-8b-instruct', 'pythonic', '[read_file(path="a.md")]'],
];

describe('a model that shares a dialect', () => {
  test.each(MODELS)('%s is known by its name as one of %s', (model, format) => {
    const matching = words.filter(([word]) => model.toLowerCase().includes(word));
    const [longest] = matching.sort(([one], [other]) => other.length - one.length);
    expect(longest?.[1]).toBe(format);
  });

  test.each(MODELS)('%s is read as %s, named or not', (model, format, text) => {
    const tools = [{ name: 'read_file' }];
    for (const options of [{}, { model }, { tools }, { model, tools }]) {
      expect(parseToolCalls(`Now.\n${text}`, options)).toMatchObject({
        calls: [{ name: 'read_file', arguments: { path: 'a.md' }, format, complete: true }],
        text: 'Now.\n',
        issues: [],
      });
    }
  });
});
