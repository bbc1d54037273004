// Written by `npm run lua:embed` from the files in guard/lua/, which are what to read and to change.

export interface LuaScript {
  readonly sha1: string;
  readonly lua: string;
}

const CIRCUIT = `local SLICES = 10
local MOST_REPORTERS = 64
local IDLE_MS = 600000
local ISOLATED_MS = 30 * 86400000
local LONGEST_MS = 366 * 86400000
local FIELDS_AT_ONCE = 200
local NUMBERS = { 'version', 'opened', 'ends', 'openings', 'window', 'tokens', 'ok', 'row', 'slice' }
local TEXTS = { 'state', 'reason', 'note', 'replica' }
local GROUPS = { ['b:'] = 'slices', ['c:'] = 'callers', ['t:'] = 'tripped', ['l:'] = 'leases' }
local PREFIXES = { slices = 'b:', callers = 'c:', tripped = 't:', leases = 'l:' }
local key = KEYS[1]
local stored = {}
local circuit = { slices = {}, callers = {}, tripped = {}, leases = {} }
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
local function clear_generation()
  circuit.ok = 0
  circuit.row = 0
  circuit.slice = 0
  for group in pairs(PREFIXES) do
    clear(group)
  end
  summed = nil
end
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
local function open_time(rules, retry_after)
  local most = math.max(rules.open_for, rules.max_open_for)
  local grown = math.min(rules.open_for * rules.growth ^ circuit.openings, most)
  return math.max(grown, retry_after)
end
local function left_open()
  return math.min(circuit.ends - now, circuit.opened)
end
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
local function move_on()
  if circuit.state == 'open' and left_open() <= 0 then
    become('half-open', 'recovery_timeout_expired')
  end
end
local function lease_left(text)
  local ends, ttl = string.match(text, '^(%S+) (%S+)$')
  return math.min(number_of(ends, 0) - now, number_of(ttl, 0))
end
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
`;

const JOIN = `local key = KEYS[1]
local id = ARGV[1]
local gone_at = now + number_at(2)
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
local kept_for = math.ceil(gone_at - now)
if kept_for > redis.call('PTTL', key) then
  redis.call('PEXPIRE', key, text_of(kept_for))
end
return redis.call('HLEN', key) - 1
`;

const LEASE = `local token = ARGV[1]
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
`;

const LEAVE = `return redis.call('HDEL', KEYS[1], 'r:' .. ARGV[1])
`;

const LIST = `local records = {}
local fields = redis.call('HGETALL', KEYS[1])
for index = 1, #fields, 2 do
  local at, record = string.match(fields[index + 1], '^(%S+) (.*)$')
  if record and number_of(at, 0) > now then
    records[#records + 1] = record
  end
end
return records
`;

const NOW = `local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
`;

const NUMBER = `local function text_of(number)
  if number == math.huge then
    return 'inf'
  end
  if number % 1 == 0 and number < 1e14 and number > -1e14 then
    return number .. ''
  end
  return string.format('%.17g', number)
end
local function number_at(index)
  local text = ARGV[index]
  if text == 'inf' then
    return math.huge
  end
  local number = tonumber(text)
  if number == nil or number ~= number then
    error('holdfast: expected a number as ARGV[' .. index .. '], got ' .. tostring(text))
  end
  return number
end
local function number_of(text, otherwise)
  if text == 'inf' then
    return math.huge
  end
  local number = tonumber(text)
  if number == nil or number ~= number then
    return otherwise
  end
  return number
end
`;

const OVERRIDE = `local replica, note = ARGV[2], ARGV[4]
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
`;

const REPORT = `local AGREEMENT = 0.5
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
`;

const SETTLE = `local replica, token, outcome = ARGV[1], ARGV[2], ARGV[3]
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
`;

export type ScriptName = 'join' | 'lease' | 'leave' | 'list' | 'override' | 'report' | 'settle';

export const SCRIPTS: Readonly<Record<ScriptName, LuaScript>> = {
  join: { sha1: 'aa8b69716eb9822bbbdd9d42ff7837ff891b4c6f', lua: NUMBER + NOW + JOIN },
  lease: { sha1: 'b2be4e28145c76efe20773bc555230dd5dbc54a4', lua: NUMBER + NOW + CIRCUIT + LEASE },
  leave: { sha1: 'bf01732d3289b7704b594d84308a6cf28518aa3e', lua: LEAVE },
  list: { sha1: '0a75fa5df35af47d373edca560cfd9bc02cf09fa', lua: NUMBER + NOW + LIST },
  override: {
    sha1: '51e0153a242751510f3f400240a0f745a3b0f039',
    lua: NUMBER + NOW + CIRCUIT + OVERRIDE,
  },
  report: {
    sha1: 'f3b8f667ba0553745247bd688f30943e414b8bef',
    lua: NUMBER + NOW + CIRCUIT + REPORT,
  },
  settle: {
    sha1: 'f130aae39a25fe1689b7313ee0872c374f5d5d1c',
    lua: NUMBER + NOW + CIRCUIT + SETTLE,
  },
};
