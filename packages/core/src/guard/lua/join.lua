-- Says that a replica is there, and counts those that are.
--
-- KEYS[1]  the hash of the replicas: `r:<id>` to `<when it is gone> <record>`, and `next`, when the first of them may
--          be gone
-- ARGV[1]  id of the replica
-- ARGV[2]  for how long it is there, in ms
-- ARGV[3]  its record, as JSON
--
-- Returns how many there are.

--- @include number
--- @include now

local key = KEYS[1]
local id = ARGV[1]
local gone_at = now + number_at(2)

-- To look at all of them for every one that says it is there would cost their square.
local next_gone = number_of(redis.call('HGET', key, 'next'), math.huge)
if next_gone > gone_at then
  next_gone = gone_at
end
redis.call('HSET', key, 'next', text_of(next_gone), 'r:' .. id, text_of(gone_at) .. ' ' .. ARGV[3])

if next_gone <= now then
  local fields = redis.call('HGETALL', key)
  next_gone = math.huge
  for index = 1, #fields, 2 do
    if fields[index] ~= 'next' then
      local at = number_of(string.match(fields[index + 1], '^%S+'), 0)
      if at <= now then
        redis.call('HDEL', key, fields[index])
      else
        next_gone = math.min(next_gone, at)
      end
    end
  end
  redis.call('HSET', key, 'next', text_of(next_gone))
end

-- Never shorter than what another replica was promised.
local kept_for = math.ceil(gone_at - now)
if kept_for > redis.call('PTTL', key) then
  redis.call('PEXPIRE', key, text_of(kept_for))
end
return redis.call('HLEN', key) - 1
