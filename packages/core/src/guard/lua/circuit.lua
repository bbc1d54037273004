-- One circuit of a fleet: reads the hash KEYS[1] and knows how to change it and to write it back. What it does is
-- what store/circuit-record.ts does.
--
-- Fields of the hash:
--   version   grows with every transition, at least to the time of the store
--   state     closed | open | half-open
--   opened    how long it was opened for, in ms; `inf` until somebody resets it
--   ends      when that is over
--   openings  how often it opened since it was last closed
--   reason, note, replica   why it is in this state, and by whose word; absent where there is none
--   window    the window of the last rules, in ms
--   tokens    for retries; absent before the first report
--   ok        probes that succeeded in this half-open time
--   row       failures in a row
--   slice     what the window is cut into, in ms
--   b:<n>     calls, failures and slow calls of the slice that began at n * slice
--   c:<id>    when a replica last reported calls
--   t:<id>    until when a replica's own gate is open
--   l:<token> when a probe loses its place, and for how long it was given

--- @include number
--- @include now

local SLICES = 10
local MOST_REPORTERS = 64
local IDLE_MS = 600000
local ISOLATED_MS = 30 * 86400000
-- Redis refuses what it cannot add to its time; nobody waits for so long.
local LONGEST_MS = 366 * 86400000
-- Lua puts only so many values on its stack.
local FIELDS_AT_ONCE = 200

local NUMBERS = { 'version', 'opened', 'ends', 'openings', 'window', 'tokens', 'ok', 'row', 'slice' }
local TEXTS = { 'state', 'reason', 'note', 'replica' }
local GROUPS = { ['b:'] = 'slices', ['c:'] = 'callers', ['t:'] = 'tripped', ['l:'] = 'leases' }
local PREFIXES = { slices = 'b:', callers = 'c:', tripped = 't:', leases = 'l:' }

local key = KEYS[1]
local stored = {}
-- What is in a group stays text until it is needed: most of it is only kept.
local circuit = { slices = {}, callers = {}, tripped = {}, leases = {} }
-- What has changed in the groups: fields with their texts, and fields that are gone.
local put_fields, gone_fields = {}, {}
local summed

local function put(group, name, text)
  circuit[group][name] = text
  put_fields[PREFIXES[group] .. name] = text
  gone_fields[PREFIXES[group] .. name] = nil
end

local function drop(group, name)
  circuit[group][name] = nil
  put_fields[PREFIXES[group] .. name] = nil
  gone_fields[PREFIXES[group] .. name] = true
end

local function clear(group)
  for name in pairs(circuit[group]) do
    drop(group, name)
  end
end

local function reset_fields(version)
  circuit.version = version
  circuit.state = 'closed'
  circuit.opened = 0
  circuit.ends = 0
  circuit.openings = 0
  circuit.window = 0
  circuit.ok = 0
  circuit.row = 0
  circuit.slice = 0
end

-- What was counted, and who may probe, is of one state only.
local function clear_generation()
  circuit.ok = 0
  circuit.row = 0
  circuit.slice = 0
  for group in pairs(PREFIXES) do
    clear(group)
  end
  summed = nil
end

-- As if it had never been here, but for the version.
local function begin_anew(version)
  circuit.reason, circuit.note, circuit.replica, circuit.tokens = nil, nil, nil, nil
  reset_fields(version)
  clear_generation()
end

local function become(state, reason, replica, note)
  circuit.version = math.max(circuit.version + 1, now)
  circuit.state = state
  circuit.reason = reason
  circuit.replica = replica
  circuit.note = note
  clear_generation()
end

local function stay_open(for_ms)
  circuit.opened = for_ms
  circuit.ends = now + for_ms
end

local function open(reason, replica, for_ms)
  circuit.openings = circuit.openings + 1
  stay_open(for_ms)
  become('open', reason, replica)
end

-- How long it opens by these rules.
local function open_time(rules, retry_after)
  local most = math.max(rules.open_for, rules.max_open_for)
  local grown = math.min(rules.open_for * rules.growth ^ circuit.openings, most)
  return math.max(grown, retry_after)
end

local function left_open()
  -- A store that was failed over, or whose clock was set back, keeps nobody out for longer than was meant.
  return math.min(circuit.ends - now, circuit.opened)
end

-- Returns whether there is one.
local function read_circuit()
  local fields = redis.call('HGETALL', key)
  for index = 1, #fields, 2 do
    local field, text = fields[index], fields[index + 1]
    local group = GROUPS[string.sub(field, 1, 2)]
    if group then
      circuit[group][string.sub(field, 3)] = text
    else
      stored[field] = text
    end
  end
  reset_fields(0)
  for _, field in ipairs(NUMBERS) do
    local number = number_of(stored[field], nil)
    stored[field] = number
    if number then
      circuit[field] = number
    end
  end
  for _, field in ipairs(TEXTS) do
    circuit[field] = stored[field]
  end
  circuit.state = circuit.state or 'closed'
  return #fields > 0
end

-- An open time that is over has ended, whoever asks.
local function move_on()
  if circuit.state == 'open' and left_open() <= 0 then
    become('half-open', 'recovery_timeout_expired')
  end
end

local function lease_left(text)
  local ends, ttl = string.match(text, '^(%S+) (%S+)$')
  return math.min(number_of(ends, 0) - now, number_of(ttl, 0))
end

-- Takes places from those who let them run out. Returns how many are taken, and when the first is free.
local function taken_places()
  local count, soonest = 0, math.huge
  for token, text in pairs(circuit.leases) do
    local left = lease_left(text)
    if left <= 0 then
      drop('leases', token)
    else
      count = count + 1
      soonest = math.min(soonest, left)
    end
  end
  return count, soonest
end

-- What is in the window; what is not is dropped.
local function sums()
  if summed then
    return summed
  end
  local calls, failures, slow = 0, 0, 0
  local current = math.floor(now / circuit.slice)
  for at, text in pairs(circuit.slices) do
    local slice = number_of(at, 0)
    if slice <= current - SLICES or slice > current then
      drop('slices', at)
    else
      local more_calls, more_failures, more_slow = string.match(text, '^(%S+) (%S+) (%S+)$')
      calls = calls + number_of(more_calls, 0)
      failures = failures + number_of(more_failures, 0)
      slow = slow + number_of(more_slow, 0)
    end
  end
  summed = { calls = calls, failures = failures, slow = slow }
  return summed
end

local function kept_for()
  if circuit.state == 'open' and circuit.opened == math.huge then
    return ISOLATED_MS
  end
  local open_ms, lease_ms = 0, 0
  if circuit.state == 'open' then
    open_ms = left_open()
  end
  for _, text in pairs(circuit.leases) do
    lease_ms = math.max(lease_ms, lease_left(text))
  end
  return math.min(math.ceil(open_ms + lease_ms + circuit.window + IDLE_MS), LONGEST_MS)
end

local function call_in_parts(command, values)
  for first = 1, #values, FIELDS_AT_ONCE do
    local last = math.min(first + FIELDS_AT_ONCE - 1, #values)
    redis.call(command, key, unpack(values, first, last))
  end
end

-- Writes what has changed. What a full Redis refuses comes first, so that it refuses all or nothing.
local function write_circuit()
  local changed, gone = {}, {}
  local function compare(fields, text_for)
    for _, field in ipairs(fields) do
      local value = circuit[field]
      if value == nil and stored[field] then
        gone[#gone + 1] = field
      elseif value ~= stored[field] then
        changed[#changed + 1] = field
        changed[#changed + 1] = text_for(value)
      end
    end
  end
  compare(NUMBERS, text_of)
  compare(TEXTS, tostring)
  for field, text in pairs(put_fields) do
    changed[#changed + 1] = field
    changed[#changed + 1] = text
  end
  for field in pairs(gone_fields) do
    gone[#gone + 1] = field
  end
  call_in_parts('HSET', changed)
  call_in_parts('HDEL', gone)
  redis.call('PEXPIRE', key, text_of(kept_for()))
end

-- What every script about a circuit answers: first whether there was a transition (1) and whether a probe was
-- granted (1), then how the circuit stands, as in SharedCircuit; nil where there is no reason, note or replica.
-- Whole numbers go as they are; those that may be fractions or `inf` as text, as Redis would cut them.
-- It also drops what is too old, so it comes before `write_circuit`.
local function answer(before, is_granted, probes)
  local counted = sums()
  local open_for, probe_in = 0, 0
  if circuit.state == 'open' then
    open_for = left_open()
  elseif circuit.state == 'half-open' then
    local taken, soonest = taken_places()
    probe_in = taken < probes and 0 or soonest
  end
  return {
    circuit.version ~= before and 1 or 0,
    is_granted and 1 or 0,
    circuit.version,
    circuit.state,
    text_of(open_for),
    circuit.openings,
    circuit.reason or false,
    circuit.note or false,
    circuit.replica or false,
    counted.calls,
    counted.failures,
    counted.slow,
    text_of(circuit.tokens or 0),
    text_of(probe_in),
  }
end
