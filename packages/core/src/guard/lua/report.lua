-- Adds what a replica counted, opens the circuit where the counts of the fleet say so, and tells how it stands. A
-- circuit that the store has lost is put back by what the replica holds of it.
--
-- KEYS[1]   the hash of the circuit
-- ARGV[1]   replica
-- ARGV[2]   the last version it has seen; 0 before the first
-- ARGV[3]   scope: local | fleet
-- ARGV[4]   calls since its last report
-- ARGV[5]   failures among them
-- ARGV[6]   slow calls among them
-- ARGV[7]   failures since the last success
-- ARGV[8]   why its own gate opened; '' where it did not
-- ARGV[9]   how long a server asked to be left alone, in ms
-- ARGV[10]  tokens taken
-- ARGV[11]  tokens gained
-- ARGV[12]  tokens of a full budget
-- ARGV[13]  consecutiveFailures
-- ARGV[14]  failureRatio
-- ARGV[15]  slowCallRatio
-- ARGV[16]  windowMs
-- ARGV[17]  minCalls
-- ARGV[18]  openForMs
-- ARGV[19]  openForGrowth
-- ARGV[20]  maxOpenForMs
-- ARGV[21]  probes
-- ARGV[22]  what it holds of the fleet's state: open | half-open; '' where nothing, and then nothing follows
-- ARGV[23]  how much of the open time is left, in ms
-- ARGV[24]  openings
-- ARGV[25]  reason
-- ARGV[26]  note; may be left out
-- Every number may be `inf`.
--
-- Returns the answer of circuit.lua.

--- @include circuit

local AGREEMENT = 0.5

local replica = ARGV[1]
local seen = number_at(2)
local trip = ARGV[8]
local report = {
  calls = number_at(4),
  failures = number_at(5),
  slow = number_at(6),
  trailing = number_at(7),
}
local retry_after = number_at(9)
local taken, gained, capacity = number_at(10), number_at(11), number_at(12)
local rules = {
  in_a_row = number_at(13),
  failure_ratio = number_at(14),
  slow_ratio = number_at(15),
  window = number_at(16),
  min_calls = number_at(17),
  open_for = number_at(18),
  growth = number_at(19),
  max_open_for = number_at(20),
}
local probes = number_at(21)

-- A record that is older than what a replica has seen is what a store found of itself after a loss.
local function restore_what_was_lost(is_known)
  if is_known and circuit.version >= seen then
    return circuit.version
  end
  local before = is_known and circuit.version or seen
  begin_anew(seen)
  if ARGV[22] ~= '' then
    become(ARGV[22], ARGV[25], replica, ARGV[26])
    stay_open(number_at(23))
    circuit.openings = number_at(24)
  end
  return before
end

-- Drops what is no later. Returns how many are left.
local function forget(group, since)
  local left = 0
  for name, text in pairs(circuit[group]) do
    if number_of(text, 0) <= since then
      drop(group, name)
    else
      left = left + 1
    end
  end
  return left
end

-- Puts the replica down where what is no later than `since` is forgotten. Of too many only those are known who came
-- first, and they stay as long as they report.
local function note(group, since, at)
  local left = forget(group, since)
  if circuit[group][replica] or left <= MOST_REPORTERS then
    put(group, replica, text_of(at))
  end
end

local function add_to_slice(at)
  local before = circuit.slices[at] or '0 0 0'
  local calls, failures, slow = string.match(before, '^(%S+) (%S+) (%S+)$')
  local counts = {
    text_of(number_of(calls, 0) + report.calls),
    text_of(number_of(failures, 0) + report.failures),
    text_of(number_of(slow, 0) + report.slow),
  }
  put('slices', at, table.concat(counts, ' '))
  summed = nil
end

local function add_counts()
  local slice_ms = rules.window / SLICES
  if slice_ms ~= circuit.slice then
    -- What was counted over another stretch of time cannot be compared.
    circuit.slice = slice_ms
    clear('slices')
    summed = nil
  end
  if report.calls > report.failures then
    circuit.row = report.trailing
  else
    circuit.row = circuit.row + report.failures
  end
  if report.calls > 0 then
    add_to_slice(text_of(math.floor(now / slice_ms)))
    note('callers', now - rules.window, now)
  end
end

-- Whether at least two gates are open, and they are at least half of those who call.
local function is_quorum()
  local gates, callers = forget('tripped', now), 0
  for _ in pairs(circuit.callers) do
    callers = callers + 1
  end
  for name in pairs(circuit.tripped) do
    if circuit.callers[name] == nil then
      callers = callers + 1
    end
  end
  return gates >= 2 and gates * 2 >= callers and callers <= MOST_REPORTERS
end

local function trip_reason()
  if report.calls == 0 and trip == '' then
    return nil
  end
  local counted = sums()
  local calls, failures, slow = counted.calls, counted.failures, counted.slow
  if calls >= rules.min_calls then
    if failures / calls >= rules.failure_ratio then
      return 'failure_ratio_exceeded'
    end
    if slow / calls >= rules.slow_ratio then
      return 'slow_ratio_exceeded'
    end
  end
  -- One sick replica among healthy ones has its rows too: most of what the fleet sees has to fail.
  local is_agreed = calls > 0 and failures / calls >= math.min(rules.failure_ratio, AGREEMENT)
  if is_agreed and circuit.row >= rules.in_a_row then
    return 'failure_threshold_exceeded'
  end
  if trip ~= '' and (is_agreed or is_quorum()) then
    return trip
  end
  return nil
end

local before = restore_what_was_lost(read_circuit())
move_on()
circuit.window = rules.window
circuit.tokens = math.min(math.max((circuit.tokens or capacity) + gained - taken, 0), capacity)

-- What was counted in an earlier state says nothing about this one. A replica that is new has seen none.
if circuit.state == 'closed' and (seen >= circuit.version or seen == 0) then
  add_counts()
  if ARGV[3] == 'fleet' then
    local for_ms = open_time(rules, retry_after)
    if trip ~= '' then
      note('tripped', now, now + for_ms)
    end
    local reason = trip_reason()
    if reason then
      open(reason, replica, for_ms)
    end
  end
end

local reply = answer(before, false, probes)
write_circuit()
return reply
