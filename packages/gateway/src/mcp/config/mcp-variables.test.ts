import { describe, expect, test } from 'vitest';
import { fillMcpVariables, inputVariable } from './mcp-variables.ts';

const VARIABLES = {
  env: { KEY: 'k-1', EMPTY: '', TRICK: '${KEY}', HOME: '/home/a', INPUT_API_KEY: 'typed' },
  folder: '/home/ada/project',
  inputs: new Map([['port', { description: 'The port', fallback: '8080' }]]),
};

describe('variables in a file of servers', () => {
  test.each([
    ['plain $KEY {KEY} $', 'plain $KEY {KEY} $'],
    ['${KEY}', 'k-1'],
    ['Bearer ${KEY}/${KEY}', 'Bearer k-1/k-1'],
    ['${NONE:-other}', 'other'],
    ['${NONE:-http://x/y}', 'http://x/y'],
    ['${EMPTY:-other}', 'other'],
    ['${EMPTY}', ''],
    // What is filled in is data, whatever it looks like.
    ['${TRICK}', '${KEY}'],
    ['${env:KEY}', 'k-1'],
    ['${workspaceFolder}/src', '/home/ada/project/src'],
    ['${workspaceFolderBasename}', 'project'],
    ['${userHome}', '/home/a'],
    ['${input:api-key}', 'typed'],
    ['${input:port}', '8080'],
  ])('%s is %s', (text, expected) => {
    expect(fillMcpVariables(text, VARIABLES)).toEqual({ text: expected, notes: [], problems: [] });
  });

  test.each([
    ['${NONE}', '${NONE}', 'the environment variable NONE is not set, so ${NONE} stays as it is'],
    ['${env:NONE}', '', 'the environment variable NONE is not set, and counts as empty'],
    ['${command:pick}', '${command:pick}', '${command:pick} is not known here, and stays as it is'],
    ['${}', '${}', '${} is not known here, and stays as it is'],
    [
      '${__proto__}',
      '${__proto__}',
      'the environment variable __proto__ is not set, so ${__proto__} stays as it is',
    ],
  ])('%s is %s, with a note', (text, expected, note) => {
    expect(fillMcpVariables(text, VARIABLES)).toEqual({
      text: expected,
      notes: [note],
      problems: [],
    });
  });

  test('an input that nobody answered is a problem that says how to answer it', () => {
    const inputs = new Map([['pat', { description: 'A token of GitHub' }]]);
    expect(fillMcpVariables('${input:pat}', { ...VARIABLES, inputs }).problems).toEqual([
      'expected an answer to the input "pat" (A token of GitHub), which nobody can be asked for here; ' +
        'set the environment variable INPUT_PAT',
    ]);
    expect(inputVariable('my.api-key')).toBe('INPUT_MY_API_KEY');
  });
});
