import type { TraceRecord } from './trace-record.ts';

/** The trace of a turn with one call. */
export function traceRecord(given: Partial<TraceRecord> = {}): TraceRecord {
  return {
    id: 'req_1',
    request: {
      protocol: 'chat',
      model: 'qwen3',
      path: '/v1/chat/completions',
      headers: { 'user-agent': 'test' },
      body: { model: 'qwen3', messages: [{ role: 'user', content: 'read it' }], max_tokens: 5 },
    },
    upstream: { name: 'local', url: 'http://127.0.0.1:1234/v1', status: 200 },
    response: {
      status: 200,
      text: 'I read it.',
      reasoning: '',
      tool_calls: [{ id: 'call_1', name: 'read_file', arguments: { path: 'a.txt' } }],
      finish_reason: 'tool-calls',
      format: ['hermes'],
      repairs: [],
      issues: [],
      usage: { inputTokens: 3, outputTokens: 4 },
    },
    durationMs: 12.4,
    ...given,
  };
}
