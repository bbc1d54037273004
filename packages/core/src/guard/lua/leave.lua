-- Says that a replica is gone.
--
-- KEYS[1]  the hash of the replicas, as in join.lua
-- ARGV[1]  id of the replica
--
-- Returns 1 where it was there, else 0.

return redis.call('HDEL', KEYS[1], 'r:' .. ARGV[1])
