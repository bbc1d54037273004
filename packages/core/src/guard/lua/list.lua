-- Lists the replicas that are there.
--
-- KEYS[1]  the hash of the replicas, as in join.lua
--
-- Returns their records, as they wrote them, in no order.

--- @include number
--- @include now

local records = {}
local fields = redis.call('HGETALL', KEYS[1])
for index = 1, #fields, 2 do
  local at, record = string.match(fields[index + 1], '^(%S+) (.*)$')
  if record and number_of(at, 0) > now then
    records[#records + 1] = record
  end
end
return records
