/**
 * The scripts that Redis runs. Each is atomic. Keys: `meta` (hash: epoch, format, version, checkpoint, last, count, time), `log`
 * (stream of entries), `versions` (hash: sandbox → id of the entry that changed it last), `exchanges` (hash: node → number of its
 * last exchange), `nodes` (hash: node → its status).
 */

/**
 * Arguments: epoch, format, node, number of the exchange, id of the last entry that the node has, latest time of its requests, maximum number
 * of entries to return, status or '', number of units; then per unit its entry or '', the number of sandboxes that it has seen, and per
 * sandbox its name, its version and '1' if the unit changes it.
 *
 * Returns a list that begins with `ok`, or with what is wrong: `epoch`, `format`, `late` or `lost`.
 */
export const EXCHANGE = `
local meta, log, versions, exchanges, nodes = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local epoch, format, node, number, last, time, max, status = unpack(ARGV, 1, 8)
local facts = redis.call('HMGET', meta, 'epoch', 'format', 'version', 'checkpoint', 'time', 'count')
if facts[1] ~= epoch then return {'epoch'} end
if tonumber(facts[2]) > tonumber(format) then return {'format', facts[3]} end
-- A node that gave an exchange up sends another one. The old one must not be done after it.
if tonumber(redis.call('HGET', exchanges, node) or '0') >= tonumber(number) then return {'late'} end
redis.call('HSET', exchanges, node, number)
if status ~= '' then redis.call('HSET', nodes, node, status) end

local found = redis.call('XRANGE', log, last, '+', 'COUNT', tonumber(max) + 2)
if found[1] and found[1][1] == last then table.remove(found, 1)
elseif last ~= facts[4] then return {'lost', facts[4]} end
local hasMore = #found > tonumber(max)
if hasMore then found[#found] = nil end
local latest = tonumber(facts[5] or '0')
local accepts = not hasMore and tonumber(time) >= latest
if accepts and tonumber(time) > latest then
  redis.call('HSET', meta, 'time', time)
  latest = tonumber(time)
end

local ids = {}
local at = 10
for unit = 1, tonumber(ARGV[9]) do
  local text, count = ARGV[at], tonumber(ARGV[at + 1])
  at = at + 2
  local isCurrent = accepts
  for i = 0, count - 1 do
    local version = redis.call('HGET', versions, ARGV[at + 3 * i]) or ''
    if version ~= ARGV[at + 3 * i + 1] then isCurrent = false end
  end
  if not isCurrent then ids[unit] = ''
  elseif text == '' then ids[unit] = '-'
  else
    local id = redis.call('XADD', log, '*', 'e', text)
    redis.call('HINCRBY', meta, 'count', 1)
    for i = 0, count - 1 do
      if ARGV[at + 3 * i + 2] == '1' then redis.call('HSET', versions, ARGV[at + 3 * i], id) end
    end
    ids[unit] = id
  end
  at = at + 3 * count
end

local entries = {}
for i, entry in ipairs(found) do
  entries[2 * i - 1] = entry[1]
  entries[2 * i] = entry[2][2]
end
local now = redis.call('TIME')
return {'ok', entries, ids, hasMore and 1 or 0, tostring(latest), now[1], now[2], unpack(redis.call('HMGET', meta, 'count', 'checkpointCount'))}
`;

/** Arguments: epoch, format, version, key of the checkpoint. Returns 1, or 0 if the log has begun already. */
export const BEGIN = `
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
redis.call('HSET', KEYS[1], 'epoch', ARGV[1], 'format', ARGV[2], 'version', ARGV[3], 'checkpoint', '0-0', 'key', ARGV[4], 'count', 0, 'checkpointCount', 0)
redis.call('DEL', KEYS[2], KEYS[3], KEYS[4], KEYS[5])
return 1
`;

/** Arguments: epoch, id of the entry, key of the checkpoint, number of the entry. Returns 1, or 0 if the log has a newer one. */
export const REPLACE = `
local facts = redis.call('HMGET', KEYS[1], 'epoch', 'checkpoint', 'key')
if facts[1] ~= ARGV[1] then return 0 end
local function parts(id) return tonumber(id:match('^%d+')), tonumber(id:match('%d+$')) end
local old, oldPart = parts(facts[2])
local new, newPart = parts(ARGV[2])
if new < old or (new == old and newPart <= oldPart) then return 0 end
redis.call('HSET', KEYS[1], 'checkpoint', ARGV[2], 'key', ARGV[3], 'checkpointCount', ARGV[4])
redis.call('XTRIM', KEYS[2], 'MINID', ARGV[2])
redis.call('DEL', facts[3])
return 1
`;

/** Returns the number of entries, and the status of each node. */
export const LIST_NODES = `
return {redis.call('HGET', KEYS[1], 'count') or '0', unpack(redis.call('HVALS', KEYS[5]))}
`;

/** Argument: node. */
export const REMOVE_NODE = `
redis.call('HDEL', KEYS[5], ARGV[1])
redis.call('HDEL', KEYS[4], ARGV[1])
`;
