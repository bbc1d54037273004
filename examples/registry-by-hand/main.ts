// The two usual ways to number parsers, each built by hand.
import assert from 'node:assert/strict';
import {
  CommentaryToolParser,
  CustomToolParser,
  FallbackParser,
  OpenAIToolParser,
  ParserRegistry,
  QwenToolParser,
} from '@holdfast/core/parse';

const highestFirst = new ParserRegistry()
  .register(new OpenAIToolParser(), 100)
  .register(new CommentaryToolParser(), 50)
  .register(new CustomToolParser(), 25)
  .register(new FallbackParser(), 1);

const lowestFirst = new ParserRegistry({ order: 'lowest-first' })
  .register(new QwenToolParser(), 10)
  .register(new OpenAIToolParser(), 20)
  .register(new FallbackParser(), 100);

const answers = {
  openai: '{"tool_calls": [{"function": {"name": "now", "arguments": "{}"}}]}',
  commentary: '[TOOL_CALL]{"tool": "now", "args": {}}[/TOOL_CALL]',
  qwen: '<tool_call>{"name": "now", "arguments": {}}</tool_call>',
  text: 'It is noon.',
};

const seen: string[] = [];
for (const [title, registry] of Object.entries({ highestFirst, lowestFirst })) {
  console.log(`${title}: ${registry.list().map(order).join(', ')}`);
  for (const [kind, answer] of Object.entries(answers)) {
    const result = registry.parseWithFallback(answer);
    const reader = result.type === 'tool_calls' ? result.parser : result.type;
    console.log(`  ${kind} answer → ${reader}`);
    seen.push(reader);
  }
}

function order(entry: { readonly name: string; readonly priority: number }): string {
  return `${entry.name} ${entry.priority}`;
}

assert.deepEqual(seen.slice(0, 4), ['openai', 'commentary', 'text', 'text']);
assert.deepEqual(seen.slice(4), ['openai', 'text', 'qwen', 'text']);
