import { flat } from '../harness/flat.mjs';

/** One answer of about 1 KB as a model writes it: what it will do, the call, what comes next. */

const before = `I looked at the failing test first. It expects the total to include the delivery fee, but the function adds only the rows, so the sum is short by exactly that amount. Before I change anything, I'd like to see how the fee is stored: it could be a field of the order, or a row of its own with the type "fee" (the fixture in the test has both spellings, which is a little odd). The quickest way to find out is to search the source folder for the places that read it.

I'll leave out the generated files, since they repeat everything twice.
`;

const after = `
Once I have the list I will change the function, run the tests again, and tell you which of the two spellings is the one in use. If both are, I'd suggest to keep the field and drop the row; that is a smaller change, and the report already reads the field.`;

export const call = {
  name: 'search_files',
  arguments: {
    pattern: 'deliveryFee|"fee"',
    folder: 'src/orders',
    exclude: ['dist', 'generated'],
    limit: 50,
    caseSensitive: false,
  },
};

const json = JSON.stringify(call);
const pretty = JSON.stringify(call, undefined, 2);
const openai = (inner) =>
  JSON.stringify({
    tool_calls: [
      { id: 'call_1', type: 'function', function: { name: call.name, arguments: inner } },
    ],
  });

export const around = (body) => flat(`${before}\n${body}\n${after}`);

/** Per seed format, and what its document says it took. */
export const formats = [
  { name: 'qwen <tool_call>', text: around(`<tool_call>\n${json}\n</tool_call>`), seed: '0.2 ms' },
  { name: 'qwen <tools>', text: around(`<tools>[${json}]</tools>`), seed: '0.3 ms' },
  { name: 'qwen <function>', text: around(`<function>${json}</function>`), seed: '0.2 ms' },
  { name: 'qwen <{…}>', text: around(`<${json}>`), seed: '0.4 ms' },
  {
    name: 'openai, arguments as string',
    text: around(openai(JSON.stringify(call.arguments))),
    seed: '8.5 ms',
  },
  { name: 'openai, arguments as object', text: around(openai(call.arguments)), seed: '8.5 ms' },
  {
    name: 'openai in a fence',
    text: around(`\`\`\`json\n${openai(JSON.stringify(call.arguments))}\n\`\`\``),
    seed: '8.5 ms',
  },
  { name: 'commentary', text: around(`[TOOL_CALL]${pretty}[/TOOL_CALL]`), seed: '8.5 ms' },
];

export const withoutCall = flat(`${before}${after}`.slice(0, 1000));

export const mixed = flat(
  [before.slice(0, 300), after.slice(0, 200), after.slice(0, 120), '']
    .map((text, index) => (index < 3 ? `${text}\n<tool_call>${json}</tool_call>\n` : text))
    .join(''),
);

/** Broken the way local models break it. */
export const malformed = [
  {
    name: 'malformed: missing brace',
    text: around(`<tool_call>\n${json.slice(0, -1)}\n</tool_call>`),
  },
  {
    name: 'malformed: inner quotes',
    text: around(`<tool_call>\n${json.replaceAll('\\"', '"')}\n</tool_call>`),
  },
  {
    name: 'malformed: single quotes, trailing comma',
    text: around(
      `<tool_call>\n{'name': 'search_files', 'arguments': {'pattern': 'deliveryFee|"fee"', 'folder': 'src/orders', 'exclude': ['dist', 'generated'], 'limit': 50, 'caseSensitive': False,}}\n</tool_call>`,
    ),
  },
];
