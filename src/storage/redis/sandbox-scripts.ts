// The scripts on the keys of the sandbox: its baseline, and the names and last accesses of its workspaces.
import { ofSandbox, readTime } from './declare-script.ts'

/**
 * After its arguments come fields and values in alternation, the rows last. Reply: the fields of the stored baseline,
 * without the rows.
 */
export const beginSandbox = ofSandbox({
  name: 'begin',
  about:
    'writes the baseline unless there is one: of replicas that start concurrently, the first one decides',
  text: `
if #ARGV > 0 and redis.call('EXISTS', baseline) == 0 then redis.call('HSET', baseline, unpack(ARGV)) end
local all, fields = redis.call('HGETALL', baseline), {}
for i = 1, #all, 2 do
  if all[i] ~= 'rows' then fields[#fields + 1] = all[i] fields[#fields + 1] = all[i + 1] end
end
return fields`,
})

/** Reply: open; full; or that there is no baseline, or another one. */
export const openName = ofSandbox({
  name: 'open',
  about:
    'takes the name of a new workspace if there is room and the replica has the same baseline, and records an access, so that no replica evicts it',
  args: ['name', 'max_names', 'baseline_id', 'kind'],
  text: `${readTime}
local id = redis.call('HGET', baseline, 'id')
if not id then return 'no baseline' end
if id ~= baseline_id then return 'other baseline' end
if name == 'default' then return 'open' end
if not redis.call('ZSCORE', workspaces, name) then
  if kind == 'copy' then redis.call('ZADD', copies, 0, name)
  elseif redis.call('ZCARD', workspaces) - redis.call('ZCARD', copies) >= tonumber(max_names) then return 'full' end
end
-- A new score each time, so that a replica that deletes an earlier workspace of this name leaves the name.
local last = redis.call('ZREVRANGE', workspaces, 0, 0, 'WITHSCORES')
redis.call('ZADD', workspaces, (tonumber(last[2]) or 0) + 1, name)
redis.call('ZADD', used, now, name)
return 'open'`,
})

/** Removes a name from all lists. */
const removeName = `for _, list in ipairs({used, copies, workspaces}) do redis.call('ZREM', list, name) end`

/**
 * Adds the hits of coverage after the first three arguments. They come last: an engine without memory accepts them
 * after a script has written.
 */
const addHits = `for i = 4, #ARGV, 2 do redis.call('HINCRBY', coverage, ARGV[i], ARGV[i + 1]) end`

/** After its arguments come hits of coverage. */
export const closeName = ofSandbox({
  name: 'close',
  about:
    'removes the name of a deleted workspace, unless it was taken again or used since, and adds its coverage to that of deleted ones',
  args: ['name', 'place', 'idle_ms'],
  text: `${readTime}
local is_same = (redis.call('ZSCORE', workspaces, name) or '') == place
if is_same and now - tonumber(redis.call('ZSCORE', used, name) or 0) >= tonumber(idle_ms) then
  ${removeName}
end
${addHits}
return 0`,
})

/** After its arguments come hits of coverage. `used_at` is empty if the workspace is gone. */
export const closeEvicted = ofSandbox({
  name: 'closeEvicted',
  about:
    'does the same for an evicted workspace; if the workspace was used later than the replica knew, records that access instead',
  args: ['name', 'known_used_at', 'used_at'],
  text: `
local is_same = redis.call('ZSCORE', used, name) == known_used_at
if is_same and used_at ~= '' then redis.call('ZADD', used, 'GT', used_at, name)
elseif is_same then
  ${removeName}
end
${addHits}
return 0`,
})

/**
 * `uses` has names, each followed by its idle time (ms), or open, or closed: one text takes half the time of 4,000
 * arguments.
 */
export const reportAccess = ofSandbox({
  name: 'uses',
  about: 'records the last access of workspaces at a replica, and in which of them it has an open call',
  args: ['replica', 'hold_ms', 'uses'],
  text: `${readTime}
for name, idle in string.gmatch(uses, '(%S+) (%S+)') do
  if idle == 'open' then redis.call('ZADD', held, now + hold_ms, name .. ' ' .. replica)
  elseif idle == 'closed' then redis.call('ZREM', held, name .. ' ' .. replica)
  -- XX: a report must not restore a deleted name.
  else redis.call('ZADD', used, 'XX', 'GT', now - idle, name) end
end
return 0`,
})

/**
 * Reply: the time, then names and their last accesses. With `why` = room, copies of partners are omitted: they take no
 * room.
 */
export const longestIdle = ofSandbox({
  name: 'idle',
  about: 'finds the workspaces that were idle for longest, without those that a replica holds',
  args: ['idle_ms', 'max_names', 'why'],
  text: `${readTime}
-- Names that were taken before accesses were recorded.
if redis.call('ZCARD', used) < redis.call('ZCARD', workspaces) then
  for _, name in ipairs(redis.call('ZRANGE', workspaces, 0, -1)) do redis.call('ZADD', used, 'NX', now, name) end
end
-- Remove expired holds, as their replicas are gone.
for _, ended in ipairs(redis.call('ZRANGE', held, '-inf', now, 'BYSCORE')) do redis.call('ZREM', held, ended) end
local is_held = {}
for _, hold in ipairs(redis.call('ZRANGE', held, 0, -1)) do is_held[string.match(hold, '^%S+')] = true end
local limit, found, from, page = 2 * max_names, {now}, 0
repeat
  page = redis.call('ZRANGE', used, '-inf', now - idle_ms, 'BYSCORE', 'LIMIT', from, 100, 'WITHSCORES')
  for i = 1, #page, 2 do
    local is_copy = why == 'room' and redis.call('ZSCORE', copies, page[i])
    if #found <= limit and not is_held[page[i]] and not is_copy then
      found[#found + 1] = page[i]
      found[#found + 1] = page[i + 1]
    end
  end
  from = from + 100
until #page < 200 or #found > limit
return found`,
})
