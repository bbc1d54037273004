-- Numbers travel and are kept as text. What Lua prints of its own accord has 14 digits.

local function text_of(number)
  if number == math.huge then
    return 'inf'
  end
  if number % 1 == 0 and number < 1e14 and number > -1e14 then
    return number .. ''
  end
  return string.format('%.17g', number)
end

-- An argument that has to be a number. Raised before anything is written.
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

-- What the hash holds; `otherwise` where somebody else has written there.
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
