import { parseToolCalls } from '@holdfast/core/parse';

const answer = `I will look it up.
<tool_call>
{'name': 'get_weather', 'arguments': {'city': 'Paris', 'days': 3,}}
</tool_call>`;
const { text, calls } = parseToolCalls(answer);

console.log(text.trim()); // → I will look it up.
for (const call of calls) {
  console.log(call.name, call.arguments); // → get_weather { city: 'Paris', days: 3 }
  console.log(call.format, call.repairs); // → qwen [ 'single-quotes', 'trailing-comma' ]
}
