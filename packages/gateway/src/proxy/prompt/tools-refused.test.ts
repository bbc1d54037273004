import { describe, expect, test } from 'vitest';
import { toolsRefused } from './tools-refused.ts';

/** What servers answer to a request with tools that they do not take, in their words or in those of what checks for them. */
const REFUSALS: readonly (readonly [string, number, string])[] = [
  ['Ollama', 400, 'registry.ollama.ai/library/gemma3:latest does not support tools'],
  [
    'Ollama, of Hugging Face',
    400,
    'hf.co/eaddario/Hammer2.1-7b-GGUF:Q4_K_M does not support tools',
  ],
  ['Ollama, a model called so', 400, 'my-custom-model:latest does not support tools'],
  ['Ollama, a model named after tools', 400, 'me/use-mcp-tool:latest does not support tools'],
  ['llama.cpp', 500, 'tools param requires --jinja flag'],
  ['llama.cpp, older', 500, 'Unsupported param: tools'],
  ['ik_llama.cpp', 500, 'tools param is not fully supported yet'],
  [
    'vLLM',
    400,
    '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
  ],
  ['vLLM, a call required', 400, 'tool_choice="required" requires --tool-call-parser to be set'],
  [
    'OpenRouter',
    404,
    'No endpoints found that support tool use. To learn more about provider routing, visit: https://openrouter.ai/docs/provider-routing',
  ],
  [
    'OpenRouter, newer',
    404,
    'No endpoints found that support tool use. Try disabling "question". To learn more about provider routing, visit: https://openrouter.ai/docs/guides/routing/provider-selection',
  ],
  [
    'OpenAI',
    404,
    'tools is not supported in this model. For a list of supported models, refer to https://platform.openai.com/docs/guides/function-calling#models-supporting-function-calling.',
  ],
  ['OpenAI, newer', 400, "Unsupported parameter: 'tools' is not supported with this model."],
  ['Azure', 404, 'Unrecognized request argument supplied: tools'],
  [
    'one-api before Azure',
    404,
    'Unrecognized request argument supplied: tools (request id: 20240121111812191932400LDhGk8pV)',
  ],
  [
    'Azure, functions',
    400,
    'Functions are not supported for this API version or this model version. To learn how to user use function calling with Azure OpenAI Service.',
  ],
  ['Google', 400, 'Function calling is not enabled for models/gemma-3-12b-it'],
  ['Groq', 400, '`tool calling` is not supported with this model'],
  ['DeepSeek', 400, 'deepseek-reasoner does not support Function Calling'],
  ['mem0', 400, "Model 'qwen-turbo' does not support function calling."],
  ['DashScope', 400, '<400> InternalError.Algo.InvalidParameter: The tool call is not supported.'],
  ['a gateway before DeepSeek', 400, 'Function call is not supported for this model.'],
  ['Novita', 400, 'model features function calling not support'],
  ['Bedrock', 400, "This model doesn't support tool use."],
  ['Bedrock, a stream', 400, "This model doesn't support tool use in streaming mode."],
  ['Unsloth, in short', 400, 'the loaded model does not advertise tools'],
  [
    'a server that checks bodies with pydantic',
    422,
    '{"object":"Error","detail":[{"type":"extra_forbidden","loc":["body","tools"],"msg":"Extra inputs are not permitted","input":[]}]}',
  ],
  [
    'vLLM, an older one',
    400,
    "[{'type': 'extra_forbidden', 'loc': ('body', 'tools'), 'msg': 'Extra inputs are not permitted', 'input': [{}]}]",
  ],
  [
    'a server that names fields',
    400,
    "Extra inputs are not permitted, field: 'tools', value: [{'type': 'function'}]",
  ],
  ['jsonschema', 400, "Additional properties are not allowed ('tools' was unexpected)"],
  ['zod', 400, "Unrecognized key(s) in object: 'tools'"],
  ['serde', 422, 'unknown field `tools`, expected one of `model`, `messages`'],
  ['Python', 500, "create_chat_completion() got an unexpected keyword argument 'tools'"],
  ['a template', 500, 'Jinja Exception: Tools are not supported by this chat template'],
];

/** What they answer about tools that they do take, or about something else. */
const OTHERS: readonly (readonly [string, number, string])[] = [
  [
    'a broken schema',
    400,
    "Invalid schema for function 'get_weather': schema must be a JSON Schema of 'type: \"object\"', got 'type: \"None\"'.",
  ],
  ['a schema, Anthropic', 400, 'tools.0.custom.input_schema: JSON schema is invalid'],
  ['a field of a tool', 400, "Unknown parameter: 'tools[0].function.defer_loading'."],
  [
    'fields of tools',
    400,
    "Extra inputs are not permitted, field: 'tools[0].eager_input_streaming', value: True",
  ],
  [
    'a field of a tool, pydantic',
    422,
    '{"detail":[{"type":"extra_forbidden","loc":["body","tools",0,"function","strict"],"msg":"Extra inputs are not permitted"}]}',
  ],
  [
    'another field, pydantic, beside tools',
    422,
    '{"detail":[{"type":"extra_forbidden","loc":["body","store"],"msg":"Extra inputs are not permitted"},{"type":"missing","loc":["body","tools"]}]}',
  ],
  [
    'the context',
    400,
    "This model's maximum context length is 8192 tokens. However, you requested 9001 tokens (4001 in the messages, 2000 in the functions, 3000 in the completion).",
  ],
  [
    'a result without its call',
    400,
    "Invalid parameter: messages with role 'tool' must be a response to a preceding message with 'tool_calls'.",
  ],
  [
    'a call without its result',
    400,
    "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: call_1",
  ],
  [
    'a result without its call, Responses',
    400,
    'No tool call found for function call output with call_id fc_1.',
  ],
  [
    'too many tools',
    400,
    "Invalid 'tools': array too long. Expected an array with maximum length 128, but got an array with length 129 instead.",
  ],
  [
    'too many tools, in other words',
    400,
    'this model does not support tools lists of more than 128',
  ],
  ['the choice', 404, "No endpoints found that support the provided 'tool_choice' value."],
  ['the choice, DeepSeek', 400, 'deepseek-reasoner does not support this tool_choice'],
  [
    'the choice, LM Studio',
    400,
    "Invalid tool_choice type: 'object'. Supported string values: none, auto, required",
  ],
  ['the choice alone', 400, "'tool_choice' is only allowed when 'tools' are specified."],
  [
    'several at once',
    400,
    "Unsupported parameter: 'parallel_tool_calls' is not supported with this model.",
  ],
  ['several at once, in words', 400, 'This model does not support parallel tool calls.'],
  ['a kind of tool', 400, 'Unsupported tool type: web_search'],
  ['a kind of tool, in words', 400, 'Custom tools are not supported with this model'],
  ['one tool', 400, 'The tool web_search_preview is not supported with this model.'],
  ['two kinds of tools', 400, 'Tool use with function calling is unsupported'],
  [
    'tools beside JSON',
    400,
    "Function calling with a response mime type: 'application/json' is unsupported",
  ],
  [
    'tools beside a schema',
    400,
    'This server does not support tools together with response_format',
  ],
  ['a mode', 400, 'Function calling mode `ANY` is not enabled for api version v1beta'],
  [
    'an older field of a message',
    400,
    'The [function_call] is not supported in the message; however, you may be able to use [tool_calls]',
  ],
  [
    'a call that the model botched',
    400,
    "Failed to call a function. Please adjust your prompt. See 'failed_generation' for more details.",
  ],
  [
    'a call that does not fit',
    400,
    'tool call validation failed: parameters for tool HassTurnOff did not match schema',
  ],
  ['turns', 400, 'Conversation roles must alternate user/assistant/user/assistant/...'],
  ['ids', 500, 'Tool call IDs should be alphanumeric strings with length 9!'],
  ['images', 400, 'this model does not support image input'],
  ['the model', 404, "model 'tools' not found"],
  ['the route', 501, 'This function is not supported'],
  ['no reason', 500, ''],
];

describe('an error says that tools are not taken', () => {
  test.each(REFUSALS)('by %s (%i)', (_, status, message) => {
    expect(toolsRefused({ status, message })).toBe(true);
    expect(toolsRefused({ status, message: `upstream "a" answered ${status}: ${message}` })).toBe(
      true,
    );
    expect(toolsRefused({ message })).toBe(true);
  });
});

describe('an error says something else', () => {
  test.each(OTHERS)('about %s (%i)', (_, status, message) => {
    expect(toolsRefused({ status, message })).toBe(false);
  });

  test.each([401, 403, 408, 413, 429, 502, 503, 504, 529])(
    'with status %i, whatever its words are',
    (status) => {
      expect(toolsRefused({ status, message: 'gemma3 does not support tools' })).toBe(false);
    },
  );

  test('if only the name of the upstream says it', () => {
    const message = 'upstream "--tool-call-parser" answered 400: no';
    expect(toolsRefused({ status: 400, message })).toBe(false);
  });

  test.each(['unknown param ', 'tools ', 'no models ', 'unknown', ' does not', '('])(
    'after a look that takes no time, even if it says %j again and again',
    (words) => {
      const message = words.repeat(100_000);
      const before = performance.now();
      for (let time = 0; time < 20; time++) toolsRefused({ status: 400, message });
      expect(performance.now() - before).toBeLessThan(500);
    },
  );

  test('far down in a long text', () => {
    expect(
      toolsRefused({ status: 500, message: `${'x '.repeat(2_000)} does not support tools` }),
    ).toBe(false);
  });
});
