import { describe, expect, test } from 'vitest';
import { Advisor } from '../advise/advisor.ts';
import { adviceFromYaml } from './advice-from-yaml.ts';

const YAML = `# Our own tools.
advice:
  - tool: deploy
    type: timeout
    text: >-
      The cluster is slow at night. Ask for the status
      instead of deploying again.
  - tool: any
    type: rate_limit
    text: "Wait: the key is shared."
`;

describe('adviceFromYaml', () => {
  test('reads entries that an advisor then uses', () => {
    const advice = adviceFromYaml(YAML);
    expect(advice).toEqual([
      {
        tool: 'deploy',
        type: 'timeout',
        text: 'The cluster is slow at night. Ask for the status instead of deploying again.',
      },
      { tool: 'any', type: 'rate_limit', text: 'Wait: the key is shared.' },
    ]);
    const advisor = new Advisor({ advice });
    const call = { tool: 'deploy', arguments: { to: 'prod' } };
    const result = { tool: 'deploy', isError: true, output: 'Error: timed out after 60 s' };
    advisor.after(call, result);
    expect(advisor.after(call, result).advice?.text).toContain('The cluster is slow at night.');
  });

  test.each([
    ['- tool: a\n  type: nonsense\n  text: x', 'advice[0].type'],
    ['- tool: a\n  type: timeout', 'advice[0].text'],
    ['tool: a', 'advice'],
    ['- tool: "a', 'YAML'],
  ])('names what is wrong in %j', (yaml, named) => {
    expect(() => adviceFromYaml(yaml)).toThrow(named);
  });
});
