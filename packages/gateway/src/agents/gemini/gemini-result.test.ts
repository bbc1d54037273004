import { classify } from '@holdfast/core/advise';
import { describe, expect, test } from 'vitest';
import { FILE_NOT_FOUND, MISSING, shellResponse } from './gemini-payloads.case.ts';
import { readGeminiResult } from './gemini-result.ts';

const shell = (...args: Parameters<typeof shellResponse>) =>
  readGeminiResult('run_shell_command', shellResponse(...args));

describe('a command', () => {
  test('has the exit code that is written behind its output', () => {
    expect(shell(MISSING, 'Exit Code: 2', 'Background PIDs: 12, 13')).toEqual({
      tool: 'run_shell_command',
      output: MISSING,
      exitCode: 2,
    });
  });

  test('ended well where no exit code is written', () => {
    expect(shell('fine')).toMatchObject({ output: 'fine', exitCode: 0 });
    expect(shell('')).toMatchObject({ output: '', exitCode: 0 });
  });

  test('is not believed when it prints an exit code itself', () => {
    expect(shell('a\nExit Code: 3')).toMatchObject({ output: 'a\nExit Code: 3', exitCode: 0 });
    expect(shell('a\nExit Code: 3', 'Exit Code: 1')).toMatchObject({ exitCode: 1 });
  });

  test('is believed where what it printed is not known apart', () => {
    const { llmContent } = shellResponse('a', 'Exit Code: 3');
    const response = { llmContent: llmContent!, returnDisplay: [{ text: 'a' }] };
    expect(readGeminiResult('run_shell_command', response)).toMatchObject({
      output: 'a',
      exitCode: 3,
    });
  });

  test('that a signal ended has the code that shells give it', () => {
    expect(shell('', 'Signal: 9')).toMatchObject({ exitCode: 137 });
  });

  test.for([
    ['Command was cancelled by user before it could complete.', 'neutral', 'cancelled'],
    [
      'Command was automatically cancelled because it exceeded the timeout of 5.0 minutes without output.',
      'failure',
      'timeout',
    ],
  ])('may not come to its end: %s', ([said, status, type]) => {
    const llmContent = `<untrusted_context>\n${said!} There was no output before it was cancelled.\n</untrusted_context>`;
    const result = readGeminiResult('run_shell_command', { llmContent, returnDisplay: said! });
    expect(classify(result)).toMatchObject({ status, type });
  });

  test('that goes on in the background has not ended', () => {
    const llmContent =
      'Command moved to background (PID: 12). Output hidden. Press Ctrl+B to view.';
    const result = readGeminiResult('run_shell_command', { llmContent });
    expect(result).toEqual({ tool: 'run_shell_command', output: llmContent });
  });
});

describe('another tool', () => {
  test('failed where there is an error, and says what its message says', () => {
    const result = readGeminiResult('read_file', FILE_NOT_FOUND);
    expect(result).toEqual({
      tool: 'read_file',
      output: 'File not found: /home/me/proj/nope.txt',
      isError: true,
    });
    expect(classify(result)).toMatchObject({ status: 'failure', type: 'not_found' });
  });

  test('that edits is told what it did not find', () => {
    const message =
      "Could not find an exact match for 'old_string' in 'f.txt'. If previous edits modified the file or you are modifying lines outside your recent read window, please use ReadFile to inspect the target lines before retrying with an exact 'old_string'.";
    const result = readGeminiResult('replace', {
      llmContent: message,
      error: { message, type: 'edit_no_occurrence_found' },
    });
    expect(classify(result)).toMatchObject({ status: 'failure', type: 'edit_mismatch' });
  });

  test('has the text of its parts', () => {
    const llmContent = [{ text: 'one' }, { inlineData: { data: 'AA==' } }, 'two'];
    expect(readGeminiResult('read_file', { llmContent })).toEqual({
      tool: 'read_file',
      output: 'one\ntwo',
    });
    expect(readGeminiResult('read_file', { llmContent: { text: 'one' } })).toMatchObject({
      output: 'one',
    });
  });

  test.for([
    [{ content: [{ type: 'text', text: 'connect ECONNREFUSED' }], isError: true }],
    [{ error: { content: [{ type: 'text', text: 'connect ECONNREFUSED' }], isError: true } }],
    [{ error: { message: 'connect ECONNREFUSED', isError: true } }],
  ])('of an MCP server says what the server said', ([response]) => {
    const parts = JSON.stringify([{ functionResponse: { name: 'query', response } }]);
    const message = `MCP tool 'query' reported tool error for function call: {"name":"query"} with response: ${parts}`;
    const error = { message, type: 'mcp_tool_error' };
    expect(readGeminiResult('mcp_db_query', { llmContent: message, error })).toEqual({
      tool: 'mcp_db_query',
      output: 'connect ECONNREFUSED',
      isError: true,
    });
  });

  test.for([
    {
      llmContent: 'Tool execution blocked: no',
      error: { type: 'execution_failed', message: 'no' },
    },
    { llmContent: 'no', error: { type: 'policy_violation', message: 'no' } },
  ])('that was not let run does not count', (response) => {
    const result = readGeminiResult('write_file', response);
    expect(classify(result)).toMatchObject({ type: 'denied' });
    expect(result.notRun).toBe('denied');
  });
});
