-- Grants the right to make one probe, or keeps the one that the token holds for longer. Only while half-open.
--
-- KEYS[1]  the hash of the circuit
-- ARGV[1]  token of the probe
-- ARGV[2]  for how long, in ms
-- ARGV[3]  windowMs
-- ARGV[4]  probes: how many there may be at a time
--
-- Returns the answer of circuit.lua; that of version 0 for a circuit that is not there, which is then not made.

--- @include circuit

local token = ARGV[1]
local ttl = number_at(2)
local window = number_at(3)
local probes = number_at(4)

if not read_circuit() then
  return answer(0, false, probes)
end
local before = circuit.version
move_on()
circuit.window = window

local is_granted = false
if circuit.state == 'half-open' then
  is_granted = taken_places() < probes or circuit.leases[token] ~= nil
  if is_granted then
    put('leases', token, text_of(now + ttl) .. ' ' .. text_of(ttl))
  end
end

local reply = answer(before, is_granted, probes)
write_circuit()
return reply
