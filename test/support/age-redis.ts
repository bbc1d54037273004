import type { RedisClientType } from '@redis/client';

/**
 * Makes a record older by so much, as if the time of Redis had gone on: every time in it, the slices of its
 * window, how long it is kept and, where asked for, its version, which is a time as well.
 */
const AGE = `
local key, ms, version_ms = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2])
local left = redis.call('PTTL', key) - ms
if left <= 0 then return redis.call('DEL', key) end
local slice = tonumber(redis.call('HGET', key, 'slice') or 0)
local fields, slices = redis.call('HGETALL', key), {}
for index = 1, #fields, 2 do
  local field, text = fields[index], fields[index + 1]
  local kind = string.sub(field, 1, 2)
  if kind == 'b:' then
    redis.call('HDEL', key, field)
    slices[#slices + 1] = string.format('b:%.0f', string.sub(field, 3) - ms / slice)
    slices[#slices + 1] = text
  elseif field == 'version' then
    if tonumber(text) > 0 then redis.call('HSET', key, field, string.format('%.0f', text - version_ms)) end
  elseif field == 'ends' or field == 'next' or kind == 'c:' or kind == 't:' or kind == 'l:' or kind == 'r:' then
    local at, rest = string.match(text, '^(%S+)(.*)$')
    if at ~= 'inf' then redis.call('HSET', key, field, string.format('%.0f', at - ms) .. rest) end
  end
end
if #slices > 0 then redis.call('HSET', key, unpack(slices)) end
redis.call('PEXPIRE', key, left)`;

type Client = Pick<RedisClientType, 'eval' | 'scan'>;

/**
 * Lets all that is kept under a prefix get older. Versions only where those who know one are told of it: they
 * would be ahead of the store otherwise.
 */
export async function ageRedis(
  client: Client,
  prefix: string,
  ms: number,
  { versions = false } = {},
): Promise<void> {
  const by = [String(ms), versions ? String(ms) : '0'];
  let cursor = '0';
  do {
    const page = await client.scan(cursor, { MATCH: `${prefix}:*`, COUNT: 10_000 });
    for (const key of page.keys) await client.eval(AGE, { keys: [key], arguments: by });
    cursor = page.cursor;
  } while (cursor !== '0');
}
