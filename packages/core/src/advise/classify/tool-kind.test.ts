import { describe, expect, test } from 'vitest';
import type { ToolKind } from '../classification.ts';
import { guessToolKind, isWebTool } from './tool-kind.ts';

describe('the kind of a tool', () => {
  const NAMES: Readonly<Record<ToolKind, readonly string[]>> = {
    reader: [
      'Read',
      'read_file',
      'Grep',
      'WebSearch',
      'mcp__github__get_issue',
      'sql_query',
      'execute_sql',
      'memory_load',
      'knowledge_tool',
    ],
    shell: [
      'Bash',
      'run_in_terminal',
      'execute_command',
      'code_execution_tool',
      'python',
      'kubectl',
      'make',
      'run_make',
    ],
    api: [
      'http_request',
      'graphql',
      'send_invoice',
      'make_payment',
      'memory_save',
      'process_refund',
      'mcp__run__notify',
      'Task',
      '',
    ],
    edit: [
      'Edit',
      'MultiEdit',
      'write_file',
      'apply_patch',
      'search_replace',
      'str-replace-editor',
    ],
  };
  const rows = (Object.entries(NAMES) as [ToolKind, string[]][]).flatMap(([kind, names]) =>
    names.map((name) => [name, kind] as const),
  );

  test.each(rows)('%s: %s', (name, kind) => {
    expect(guessToolKind(name)).toBe(kind);
  });

  test('pages come from tools that say so', () => {
    expect(['WebFetch', 'fetch_url', 'browser_navigate'].every(isWebTool)).toBe(true);
    expect(['read_file', 'bash'].some(isWebTool)).toBe(false);
  });
});
