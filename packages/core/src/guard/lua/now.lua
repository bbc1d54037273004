-- The time of the store, in whole milliseconds since 1970. The clocks of replicas are never asked.

local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
