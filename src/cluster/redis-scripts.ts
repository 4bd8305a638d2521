/**
 * The scripts that Redis runs, each of them atomic. Their keys are these. `meta` is a hash of epoch, format, version, checkpoint, key,
 * count, checkpointCount, time and checkpointTime. `log` is the stream of entries. `versions` is a hash from a sandbox to the id of the
 * entry that changed it last, if that came after the checkpoint; it always has the default sandbox. `exchanges` is a hash from a node to the number of its last exchange. `nodes` is a hash from a node to its status.
 * `times` is a hash from a sandbox to the latest time that a request to it has seen since the checkpoint.
 */
export const KEYS = ['meta', 'log', 'versions', 'exchanges', 'nodes', 'times'] as const;

const lua = String.raw;

const IS_LATER = lua`
local function parts(id) return tonumber(id:match('^%d+')), tonumber(id:match('%d+$')) end
local function isLater(id, other)
  local time, number = parts(id)
  local otherTime, otherNumber = parts(other)
  return time > otherTime or (time == otherTime and number > otherNumber)
end
`;

/**
 * Appends the units whose sandboxes no entry has changed after the last one of the node, and returns the entries that it lacks.
 *
 * Its arguments begin with epoch, format, node, number of the exchange, and id of the last entry that the node has. Then come the latest time of its
 * requests, maximum number of entries to return, status or `''`, number of units. Each unit follows: its entry or `''`, and the number of
 * sandboxes that it has seen. Each sandbox follows: its name, `'*'` if later changes of it do not matter, and a third item.
 * This is `'1'` if the unit changes the sandbox, `'0'` if it does not, `''` for one that does not exist.
 *
 * It returns a list. The first item is `ok`, or what is wrong: `epoch`, `format`, `late`, `damaged` or `lost`.
 */
export const EXCHANGE = lua`
${IS_LATER}
local meta, log, versions, exchanges, nodes, times = unpack(KEYS)
local epoch, format, node, number, last, time, max, status = unpack(ARGV, 1, 8)
local facts = redis.call('HMGET', meta, 'epoch', 'format', 'version', 'checkpoint', 'time', 'count', 'checkpointCount', 'checkpointTime')
if facts[1] ~= epoch then return {'epoch'} end
if tonumber(facts[2]) > tonumber(format) then return {'format', facts[3]} end
-- A node that gave an exchange up sends another one. The old one must not be done after it.
if tonumber(redis.call('HGET', exchanges, node) or '0') >= tonumber(number) then return {'late'} end
redis.call('HSET', exchanges, node, number)
if status ~= '' then redis.call('HSET', nodes, node, status) end

-- The keys change together: one that lacks what another one has was damaged, and would refuse some requests for ever.
local missing = tonumber(facts[6]) - tonumber(facts[7]) - redis.call('XLEN', log)
if missing > 0 then return {'damaged', 'log', facts[4], missing} end
if redis.call('EXISTS', versions) == 0 then return {'damaged', 'versions', facts[4]} end

local found = redis.call('XRANGE', log, last, '+', 'COUNT', tonumber(max) + 2)
if found[1] and found[1][1] == last then table.remove(found, 1)
elseif last ~= facts[4] then return {'lost', facts[4]} end
local hasMore = #found > tonumber(max)
if hasMore then found[#found] = nil end
local latest = tonumber(facts[5] or '0')
if tonumber(time) > latest then
  redis.call('HSET', meta, 'time', time)
  latest = tonumber(time)
end

local ids = {}
local at = 10
for unit = 1, tonumber(ARGV[9]) do
  local text, first = ARGV[at], at + 2
  at = first + 3 * tonumber(ARGV[at + 1])
  local isCurrent = not hasMore
  for i = first, at - 1, 3 do
    local name = ARGV[i]
    -- A sandbox without a version has not changed since the checkpoint, which this node has read.
    local version = redis.call('HGET', versions, name)
    if ARGV[i + 1] ~= '*' and version and isLater(version, last) then isCurrent = false end
    -- In no sandbox does time go back.
    if tonumber(redis.call('HGET', times, name) or facts[8] or '0') > tonumber(time) then isCurrent = false end
  end
  ids[unit] = ''
  if isCurrent then
    ids[unit] = '-'
    if text ~= '' then
      ids[unit] = redis.call('XADD', log, '*', 'e', text)
      redis.call('HINCRBY', meta, 'count', 1)
    end
    for i = first, at - 1, 3 do
      local name = ARGV[i]
      if ARGV[i + 2] == '1' then redis.call('HSET', versions, name, ids[unit]) end
      if ARGV[i + 2] ~= '' then redis.call('HSET', times, name, time) end
    end
  end
end

local entries = {}
for i, entry in ipairs(found) do
  entries[2 * i - 1] = entry[1]
  entries[2 * i] = entry[2][2]
end
local now = redis.call('TIME')
return {'ok', entries, ids, hasMore and 1 or 0, tostring(latest), now[1], now[2], unpack(redis.call('HMGET', meta, 'count', 'checkpointCount'))}
`;

/**
 * Arguments: epoch, format, version, key of the checkpoint and its number of parts. Returns 1, or 0 if the log has begun already,
 * or lacks parts after a failover.
 */
export const BEGIN = lua`
if redis.call('EXISTS', KEYS[1]) == 1 or redis.call('LLEN', ARGV[4]) ~= tonumber(ARGV[5]) then return 0 end
redis.call('HSET', KEYS[1], 'epoch', ARGV[1], 'format', ARGV[2], 'version', ARGV[3], 'checkpoint', '0-0', 'key', ARGV[4], 'count', 0, 'checkpointCount', 0)
redis.call('DEL', KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6])
redis.call('HSET', KEYS[3], '', '0-0')
return 1
`;

/**
 * Arguments: id of the entry, key of the checkpoint and its number of parts, number of the entry. Returns 1, or 0 if the log has a
 * checkpoint that is as late, lacks the entry, which a failover has lost, or lacks parts.
 * It drops the fields of sandboxes that have not changed since, closed ones among them.
 */
export const REPLACE = lua`
${IS_LATER}
local facts = redis.call('HMGET', KEYS[1], 'checkpoint', 'key', 'time')
local isThere = #redis.call('XRANGE', KEYS[2], ARGV[1], ARGV[1]) == 1 and redis.call('LLEN', ARGV[2]) == tonumber(ARGV[3])
if not isThere or not isLater(ARGV[1], facts[1]) then return 0 end
redis.call('HSET', KEYS[1], 'checkpoint', ARGV[1], 'key', ARGV[2], 'checkpointCount', ARGV[4], 'checkpointTime', facts[3] or '0')
redis.call('XTRIM', KEYS[2], 'MINID', ARGV[1])
redis.call('DEL', facts[2], KEYS[6])
local versions = redis.call('HGETALL', KEYS[3])
for i = 1, #versions, 2 do
  if versions[i] ~= '' and not isLater(versions[i + 1], ARGV[1]) then redis.call('HDEL', KEYS[3], versions[i]) end
end
return 1
`;

/** Returns the number of entries, and the status of each node. */
export const LIST_NODES = lua`
return {redis.call('HGET', KEYS[1], 'count') or '0', unpack(redis.call('HVALS', KEYS[5]))}
`;

/** Argument: node. */
export const REMOVE_NODE = lua`
redis.call('HDEL', KEYS[5], ARGV[1])
redis.call('HDEL', KEYS[4], ARGV[1])
`;
