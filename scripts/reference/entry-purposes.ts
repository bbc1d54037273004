interface EntryPurpose {
  readonly purpose: string;
  /** Where the docs explain it, from the page of the entry. */
  readonly explained?: string;
}

/** What each entry of core is for, by its name. */
export const ENTRY_PURPOSES: Readonly<Record<string, EntryPurpose>> = {
  index: {
    purpose: 'Runs tools with all of it, and has the names that most programs need.',
    explained: '[Running tools](../../running-tools.md)',
  },
  parse: {
    purpose: 'Reads tool calls out of raw text, and writes them.',
    explained: '[Reading tool calls](../../README.md#reading-tool-calls)',
  },
  check: {
    purpose: 'Holds calls against the schemas of their tools.',
    explained: '[Checking a call](../../check.md)',
  },
  guard: {
    purpose: 'Timeout, circuit breaker, retry, and what goes around them.',
    explained: '[Running tools](../../README.md#running-tools)',
  },
  advise: {
    purpose: 'Tells what failed, notices loops, and advises the model.',
    explained: '[Advising the model](../../README.md#advising-the-model)',
  },
  hooks: {
    purpose: 'Runs extensions before and after tools.',
    explained: '[Hooks](../../hooks.md)',
  },
  redis: {
    purpose: 'Keeps the circuits of a fleet in Redis or Valkey.',
    explained: '[The Redis store](../../redis-store.md)',
  },
  testing: {
    purpose: 'Clocks, chance and failing tools for tests.',
    explained: '[Testing](../../testing.md)',
  },
  'ai-sdk': {
    purpose: 'Mends calls and guards tools inside the AI SDK.',
    explained: '[The AI SDK](../../adapter-ai-sdk.md)',
  },
  openai: {
    purpose: 'Does so inside the client of OpenAI.',
    explained: "[OpenAI's SDK](../../adapter-openai.md)",
  },
  anthropic: {
    purpose: 'Does so inside the client of Anthropic.',
    explained: "[Anthropic's SDK](../../adapter-anthropic.md)",
  },
  langchain: {
    purpose: 'Does so inside LangChain.',
    explained: '[LangChain and LangGraph](../../adapter-langchain.md)',
  },
  mcp: {
    purpose: 'Guards the tools of MCP clients and servers.',
    explained: "[MCP's SDK](../../adapter-mcp-sdk.md)",
  },
};
