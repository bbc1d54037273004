-- Does with the circuit what an operator wants of it, whatever its counts say.
--
-- KEYS[1]  the hash of the circuit
-- ARGV[1]  isolate | reset
-- ARGV[2]  replica
-- ARGV[3]  for how long to isolate it, in ms; `inf` until it is reset
-- ARGV[4]  note; may be left out
--
-- Returns the answer of circuit.lua.

--- @include circuit

local replica, note = ARGV[2], ARGV[4]
local for_ms = number_at(3)

read_circuit()
local before = circuit.version
if ARGV[1] == 'isolate' then
  become('open', 'isolated', replica, note)
  stay_open(for_ms)
else
  circuit.openings = 0
  become('closed', 'reset', replica, note)
end

local reply = answer(before, false, 1)
write_circuit()
return reply
