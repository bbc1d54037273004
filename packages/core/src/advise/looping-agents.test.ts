import { describe, expect, test } from 'vitest';
import type { AdviceRule } from './advice.ts';
import { Advisor } from './advisor.ts';
import type { LoopingAgent } from './looping-agents.case.ts';
import { LOOPING_AGENTS } from './looping-agents.case.ts';

/** What an agent hears, by round. All calls of a round begin before any of them ends. */
function heardBy(agent: LoopingAgent, advisor: Advisor): Record<number, AdviceRule[]> {
  const heard: Record<number, AdviceRule[]> = {};
  let number = 0;
  for (const round of agent.rounds) {
    if (round === 'user') {
      advisor.userSpoke();
      continue;
    }
    number++;
    const calls = 'tool' in round ? [round] : round;
    for (const call of calls) advisor.before(call);
    for (const call of calls) {
      const { advice } = advisor.after(call, { tool: call.tool, ...call.result });
      for (const { rule } of advice?.parts ?? []) (heard[number] ??= []).push(rule);
    }
  }
  return heard;
}

describe('an agent that', () => {
  test.each(LOOPING_AGENTS.map((agent) => [agent.name, agent] as const))('%s', (_, agent) => {
    expect(heardBy(agent, new Advisor())).toEqual(agent.hears);
  });

  test.each(LOOPING_AGENTS.map((agent) => [agent.name, agent] as const))(
    '%s hears the same when the advisor is stored after each call',
    (_, agent) => {
      const heard: Record<number, AdviceRule[]> = {};
      let state: unknown;
      let number = 0;
      for (const round of agent.rounds) {
        const advisor = Advisor.restore(state);
        if (round === 'user') advisor.userSpoke();
        else {
          number++;
          const { 1: rules } = heardBy({ ...agent, rounds: [round] }, advisor);
          if (rules !== undefined) heard[number] = rules;
        }
        state = JSON.parse(JSON.stringify(advisor.state));
      }
      expect(heard).toEqual(agent.hears);
    },
  );
});
