import { describe, expect, test } from 'vitest';
import { childEnvironment } from './child-environment.ts';

describe('the environment of a child', () => {
  test('has what programs need, what it was given, and no keys of ours', () => {
    const ours = { PATH: '/bin', HOME: '/home/a', OPENAI_API_KEY: 'sk-1', LANG: undefined };
    expect(childEnvironment(ours, { TOKEN: 't' }, 'linux')).toEqual({
      PATH: '/bin',
      HOME: '/home/a',
      TOKEN: 't',
    });
  });

  test('what it was given wins', () => {
    expect(childEnvironment({ PATH: '/bin' }, { PATH: '/opt' }, 'linux')).toEqual({ PATH: '/opt' });
  });

  test('what it must not have is left out', () => {
    expect(childEnvironment({ PATH: '/bin', TERM: 'x' }, { TERM: null }, 'linux')).toEqual({
      PATH: '/bin',
    });
  });

  test('functions of a shell are not passed on', () => {
    expect(childEnvironment({ TERM: '() { :; }; rm' }, {}, 'linux')).toEqual({});
  });

  test('on Windows names mean the same in any case', () => {
    const ours = { Path: 'C:\\bin', SystemRoot: 'C:\\Windows', HOME: 'x' };
    expect(childEnvironment(ours, { PATH: 'D:\\bin' }, 'win32')).toEqual({
      PATH: 'D:\\bin',
      SystemRoot: 'C:\\Windows',
    });
  });
});
