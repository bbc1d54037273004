-- Takes how a probe ended. Nothing happens where its lease has run out or the circuit has moved on.
--
-- KEYS[1]  the hash of the circuit
-- ARGV[1]  replica
-- ARGV[2]  token of the probe
-- ARGV[3]  success | failure | slow | ignored
-- ARGV[4]  how long a server asked to be left alone, in ms
-- ARGV[5]  windowMs
-- ARGV[6]  openForMs
-- ARGV[7]  openForGrowth
-- ARGV[8]  maxOpenForMs
-- ARGV[9]  successesToClose
-- ARGV[10] probes
--
-- Returns the answer of circuit.lua; that of version 0 for a circuit that is not there, which is then not made.

--- @include circuit

local replica, token, outcome = ARGV[1], ARGV[2], ARGV[3]
local retry_after = number_at(4)
local window = number_at(5)
local rules = { open_for = number_at(6), growth = number_at(7), max_open_for = number_at(8) }
local successes_to_close = number_at(9)
local probes = number_at(10)

if not read_circuit() then
  return answer(0, false, probes)
end
local before = circuit.version
move_on()
circuit.window = window
taken_places()

if circuit.state == 'half-open' and circuit.leases[token] ~= nil then
  drop('leases', token)
  if outcome == 'success' then
    circuit.ok = circuit.ok + 1
    if circuit.ok >= successes_to_close then
      circuit.openings = 0
      become('closed', 'probe_succeeded', replica)
    end
  elseif outcome == 'failure' then
    open('probe_failed', replica, open_time(rules, retry_after))
  elseif outcome == 'slow' then
    open('probe_slow', replica, open_time(rules, retry_after))
  end
end

local reply = answer(before, false, probes)
write_circuit()
return reply
