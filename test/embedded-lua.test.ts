import { describe, expect, it } from 'vitest';
import { SCRIPTS } from '../packages/core/src/guard/store/redis/scripts.ts';
import { embeddedLua, embeddedLuaFile, luaFiles } from './support/embedded-lua.ts';
import { readText } from './support/repository.ts';

const scripts = luaFiles().filter(({ name }) => Object.hasOwn(SCRIPTS, name));

describe('the scripts for Redis', () => {
  it('are embedded as they are written', async () => {
    expect(readText(embeddedLuaFile), 'run `npm run lua:embed`').toBe(await embeddedLua());
  });

  it('are all there', () => {
    expect(scripts.map(({ name }) => name)).toEqual(Object.keys(SCRIPTS));
    expect(scripts.length).toBeGreaterThan(0);
  });

  it.each(scripts)(
    '$name says which keys and arguments it takes, and what it returns',
    (script) => {
      const told = [...script.text.matchAll(/^-- (KEYS|ARGV)\[(\d+)\] /gm)].map(
        ([, list, index]) => `${list}[${index}]`,
      );
      const used = [...script.code.matchAll(/(KEYS|ARGV)\[(\d+)\]|number_at\((\d+)\)/g)].map(
        ([, list = 'ARGV', index, argument]) => `${list}[${index ?? argument}]`,
      );

      expect(told).toContain('KEYS[1]');
      expect(used.filter((use) => !told.includes(use))).toEqual([]);
      expect(told.filter((one) => !used.includes(one) && one !== 'KEYS[1]')).toEqual([]);
      expect(script.text).toMatch(/^-- Returns /m);
    },
  );

  it.each(scripts)('$name uses no other key, so that it runs on a cluster', ({ name }) => {
    const { lua } = SCRIPTS[name as keyof typeof SCRIPTS];

    expect([...lua.matchAll(/KEYS\[(\d+)\]/g)].map(([, index]) => index)).toEqual(['1']);
    expect(lua).not.toMatch(/redis\.call\('\w+', (?!key\b|KEYS\[1\])/);
  });

  it.each(scripts)('$name takes the time of Redis and no other', ({ name }) => {
    const { lua } = SCRIPTS[name as keyof typeof SCRIPTS];

    expect(lua).not.toMatch(/\bos\.|ARGV\[\w+\] *[-+<>]= *now/);
    if (lua.includes('now')) expect(lua).toContain("redis.call('TIME')");
  });
});
