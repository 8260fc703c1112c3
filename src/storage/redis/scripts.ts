// The scripts that run on the engine: each reads and writes the keys of one workspace, or of the sandbox, in one step.
import type { Script } from './store-engine.ts'

/** The keys of a workspace, in the order in which its scripts take them. One slot of a cluster holds them all. */
export function keysOf(prefix: string, workspace: string): string[] {
  const name = `{${prefix}:${workspace}}`
  return [`${name}:log`, `${name}:snapshot`, `${name}:journal`, `${name}:counts`, `${name}:coverage`]
}

/** The pattern of the keys of a workspace, for messages. @param keys those of `keysOf`. */
export function patternOf([log = '']: readonly string[]): string {
  return log.replace(/log$/, '*')
}

/**
 * The keys of the sandbox: its baseline, the names of its workspaces, the coverage of those that are gone, about when each
 * name was used last, in the engine's time, which are copies of partners, and which replicas hold which names, until when:
 * something is open in them there.
 */
export function sandboxKeys(prefix: string): string[] {
  const name = `{${prefix}}`
  return [
    `${name}:baseline`,
    `${name}:workspaces`,
    `${name}:coverage`,
    `${name}:used`,
    `${name}:copies`,
    `${name}:held`,
  ]
}

/** The time of the engine, in milliseconds. */
const readTime = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)`

/**
 * The log is a stream: the id of an entry is its version, its fields are its nonce, the nonce of the entry before, and
 * the commit. The last entry says where the log stands; no other key does, so whatever is lost, the two never differ.
 */
const readLog = `
local log, snapshot, journal, counts, coverage = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local function version_of(entry) return tonumber(string.match(entry[1], '^%d+')) end
local function nonce_of(entry) return entry[2][2] end
local function entry_at(version)
  local found = redis.call('XRANGE', log, version .. '-0', version .. '-0')
  return found[1]
end
local function head_of()
  local last = redis.call('XREVRANGE', log, '+', '-', 'COUNT', 1)[1]
  if not last then return 0, '' end
  -- What somebody else wrote there stays as it is.
  if last[2][1] ~= 'n' or last[2][3] ~= 'p' or last[2][5] ~= 'e' then return -1, '' end
  return version_of(last), nonce_of(last)
end`

/**
 * One batch of a workspace. Arguments: the version and nonce of the last entry that the replica knows; the nonce of this
 * batch, and whether it may have been sent before; how many request numbers are wanted; what is to be emptied (j journal,
 * n request numbers, c coverage), and that it was used (u, with how long ago in ms); limits of the journal in entries and
 * bytes; how many entries of the log to give; then the commits, the journal entries and the hits of coverage, each with
 * their count before them.
 *
 * Commits are appended only if the last entry has the version and the nonce that are expected: another nonce at the same
 * version is another history. What may have been sent before is looked for by its own nonce first.
 *
 * Reply: what became of the commits (kept, lost, or read where there were none), the last request number, how to go on
 * (tail, or reload with the snapshot, or none where there is no log, or foreign where it is somebody else's), the snapshot, and entries as groups of four. A log
 * whose beginning is lost, and that no snapshot stands for, is nothing that a replica could begin with: it goes.
 */
export const syncBatch: Script = {
  name: 'sync',
  text: `${readLog}
local version, nonce, turn, again = tonumber(ARGV[1]), ARGV[2], ARGV[3], ARGV[4] == '1'
local numbers, flags = tonumber(ARGV[5]), ARGV[6]
local most_entries, most_bytes, most_given = tonumber(ARGV[7]), tonumber(ARGV[8]), tonumber(ARGV[9])
local at = 10
local function list(width)
  local items = {}
  local size = tonumber(ARGV[at])
  for i = 1, size * width do items[i] = ARGV[at + i] end
  at = at + size * width + 1
  return items, size
end
local commits, committed = list(2)
local calls, called = list(1)
local hits, hit = list(2)
local head, head_nonce = head_of()
if head == -1 then return {'read', 0, 'foreign', ''} end
if head > 0 then
  -- A count that is no number would end the script after its first writes.
  local counted = redis.call('HGETALL', counts)
  for i = 2, #counted, 2 do
    if #counted[i] > 16 or not string.find(counted[i], '^-?%d+$') then return {'read', 0, 'foreign', ''} end
  end
end
local status, is_first = 'read', true
local appended, nonce_before = false, nonce
if committed > 0 then
  status = 'lost'
  if head == version and head_nonce == nonce then -- same history?
    status, appended = 'kept', true
    -- What is left of an earlier life belongs to nobody.
    if version == 0 then redis.call('DEL', snapshot, journal, counts, coverage) end
    head, head_nonce = version + committed, commits[2 * committed - 1]
  elseif again then
    local own = entry_at(version + committed)
    if own and nonce_of(own) == commits[2 * committed - 1] then status, is_first = 'kept', false end -- own nonce?
  end
  if status == 'kept' then version, nonce = version + committed, commits[2 * committed - 1] end
elseif called > 0 and tonumber(redis.call('HGET', counts, 'reset_at') or 0) > version then
  -- A reset forgot these calls before they were kept.
  status = 'lost'
elseif again and called > 0 then
  for _, kept in ipairs(redis.call('LRANGE', journal, 0, -1)) do
    if string.sub(kept, 1, #turn) == turn then is_first = false break end
  end
end
if head == 0 then return {status, 0, 'none', ''} end
local ago = string.match(flags, 'u(%d+)')
if ago then
  ${readTime.trim()}
  -- Another replica may have told of a later one.
  if ago == '0' or now - ago > tonumber(redis.call('HGET', counts, 'used_at') or 0) then
    redis.call('HSET', counts, 'used_at', now - ago)
  end
end
if status ~= 'lost' and is_first then
  if string.find(flags, 'c', 1, true) then redis.call('DEL', coverage) end
  -- The first of all writes, as only these meet values that may be no numbers.
  for i = 1, hit do redis.call('HINCRBY', coverage, hits[2 * i - 1], hits[2 * i]) end
  if string.find(flags, 'j', 1, true) then
    redis.call('DEL', journal)
    redis.call('HDEL', counts, 'journal_added', 'journal_bytes')
  end
  if string.find(flags, 'n', 1, true) then
    redis.call('HDEL', counts, 'requests')
    redis.call('HSET', counts, 'reset_at', version)
  end
  if most_entries > 0 and called > 0 then
    local bytes = 0
    for i = 1, called do
      calls[i] = turn .. ':' .. i .. '|' .. calls[i]
      bytes = bytes + #calls[i]
    end
    -- In and out at once: with 32 calls a turn takes the engine a fifth less.
    local size = redis.call('LPUSH', journal, unpack(calls))
    if size > most_entries then
      for _, text in ipairs(redis.call('RPOP', journal, size - most_entries)) do bytes = bytes - #text end
      size = most_entries
    end
    bytes = redis.call('HINCRBY', counts, 'journal_bytes', bytes)
    redis.call('HINCRBY', counts, 'journal_added', called)
    while size > 1 and bytes > most_bytes do
      bytes = redis.call('HINCRBY', counts, 'journal_bytes', -#redis.call('RPOP', journal))
      size = size - 1
    end
  end
end
if appended then
  -- The last of all: a script that fails before, at a key of another kind or without a right, leaves no commit.
  local first, before = version - committed, nonce_before
  for i = 1, committed do
    redis.call('XADD', log, (first + i) .. '-0', 'n', commits[2 * i - 1], 'p', before, 'e', commits[2 * i])
    before = commits[2 * i - 1]
  end
end
local number = 0
if numbers > 0 then number = redis.call('HINCRBY', counts, 'requests', numbers) end
local how, begin, from = 'tail', '', version
if not (version == head and nonce == head_nonce) then
  local known = version > 0 and entry_at(version)
  if not (known and nonce_of(known) == nonce) then -- same history?
    local first = version_of(redis.call('XRANGE', log, '-', '+', 'COUNT', 1)[1])
    how = (version > 0 and version < first) and 'behind' or 'reload'
    begin = redis.call('GET', snapshot) or ''
    local at, of = string.match(begin, '^(%d+) (%S+)')
    from = tonumber(at) or 0
    local kept = from > 0 and entry_at(from)
    -- A snapshot of another history.
    if not (kept and nonce_of(kept) == of) then begin, from = '', 0 end
    if from + 1 < first then
      redis.call('DEL', log, snapshot, journal, counts, coverage)
      return {status, 0, 'none', ''}
    end
  end
end
local reply = {status, number, how, begin, head}
if from < head then
  for _, entry in ipairs(redis.call('XRANGE', log, (from + 1) .. '-0', '+', 'COUNT', most_given)) do
    reply[#reply + 1] = version_of(entry)
    reply[#reply + 1] = entry[2][2]
    reply[#reply + 1] = entry[2][4]
    reply[#reply + 1] = entry[2][6]
  end
end
return reply`,
}

/** Keeps a workspace at a version, if that is still its history, and trims the log to the entries behind another one. */
export const keepSnapshot: Script = {
  name: 'snapshot',
  text: `${readLog}
local entry = entry_at(ARGV[1])
if not entry or nonce_of(entry) ~= ARGV[2] then return 0 end
redis.call('SET', snapshot, ARGV[1] .. ' ' .. ARGV[2] .. ' ' .. ARGV[4])
redis.call('XTRIM', log, 'MINID', ARGV[3] .. '-0')
return 1`,
}

/** The journal, newest first, behind how many entries were added to it. */
export const readJournal: Script = {
  name: 'journal',
  text: `
local added = redis.call('HGET', KEYS[4], 'journal_added') or '0'
local entries = redis.call('LRANGE', KEYS[3], 0, -1)
table.insert(entries, 1, added)
return entries`,
}

export const readCoverage: Script = { name: 'coverage', text: `return redis.call('HGETALL', KEYS[5])` }

/** Forgets a workspace. Gives the hits of its coverage, which the total goes on counting. */
export const dropWorkspace: Script = {
  name: 'drop',
  text: `
local hits = redis.call('HGETALL', KEYS[5])
redis.call('DEL', KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5])
return hits`,
}

/**
 * Puts the baseline there if there is none. Arguments: fields and values in alternation, the rows last.
 * Reply: the fields of what is there, but for its rows.
 */
export const beginSandbox: Script = {
  name: 'begin',
  text: `
if #ARGV > 0 and redis.call('EXISTS', KEYS[1]) == 0 then redis.call('HSET', KEYS[1], unpack(ARGV)) end
local all, fields = redis.call('HGETALL', KEYS[1]), {}
for i = 1, #all, 2 do
  if all[i] ~= 'rows' then fields[#fields + 1] = all[i] fields[#fields + 1] = all[i + 1] end
end
return fields`,
}

export const readBaselineRows: Script = {
  name: 'baseline',
  text: `return redis.call('HGET', KEYS[1], 'rows')`,
}

/**
 * Takes a name for a workspace, and says that it is used: whoever is about to forget it leaves it the name. Arguments:
 * the name, how many there may be, the id of the baseline, whether it is the copy of a partner, which does not count.
 */
export const openName: Script = {
  name: 'open',
  text: `${readTime}
local baseline = redis.call('HGET', KEYS[1], 'id')
if not baseline then return 'no baseline' end
if baseline ~= ARGV[3] then return 'other baseline' end
if ARGV[1] == 'default' then return 'open' end
if not redis.call('ZSCORE', KEYS[2], ARGV[1]) then
  if ARGV[4] == 'copy' then redis.call('ZADD', KEYS[5], 0, ARGV[1])
  elseif redis.call('ZCARD', KEYS[2]) - redis.call('ZCARD', KEYS[5]) >= tonumber(ARGV[2]) then return 'full' end
end
-- Another place each time: whoever deletes an earlier one of this name leaves it the name.
local last = redis.call('ZREVRANGE', KEYS[2], 0, 0, 'WITHSCORES')
redis.call('ZADD', KEYS[2], (tonumber(last[2]) or 0) + 1, ARGV[1])
redis.call('ZADD', KEYS[4], now, ARGV[1])
return 'open'`,
}

/** The names of the workspaces beside default, in the order of first use. */
export const readNames: Script = { name: 'names', text: `return redis.call('ZRANGE', KEYS[2], 0, -1)` }

/** Takes the name that is the first argument out of all lists. */
const giveBack = `for _, list in ipairs({KEYS[4], KEYS[5], KEYS[2]}) do redis.call('ZREM', list, ARGV[1]) end`

/** Which place a name has among them; empty where nobody has taken it. Argument: the name. */
export const placeOfName: Script = {
  name: 'place',
  text: `return redis.call('ZSCORE', KEYS[2], ARGV[1]) or ''`,
}

/**
 * Gives the name of a workspace back that is gone, unless somebody has taken it anew since. Arguments: the name, the place
 * that it had, for how long nobody has used it at least (ms), then hits of coverage. Those come last: an engine without
 * memory takes them once a script has written, and not before.
 */
export const closeName: Script = {
  name: 'close',
  text: `${readTime}
local is_same = (redis.call('ZSCORE', KEYS[2], ARGV[1]) or '') == ARGV[2]
if is_same and now - tonumber(redis.call('ZSCORE', KEYS[4], ARGV[1]) or 0) >= tonumber(ARGV[3]) then
  ${giveBack}
end
for i = 4, #ARGV, 2 do redis.call('HINCRBY', KEYS[3], ARGV[i], ARGV[i + 1]) end
return 0`,
}

/**
 * Reports when workspaces were used last at a replica, and which it holds. Arguments: the replica, for how long a hold
 * lasts (ms), and a text of names, each followed by for how long nobody has used it there (ms), or that something is open in
 * it, or not any more. One text for 2,000 names takes half the time of 4,000 arguments.
 */
export const reportAccess: Script = {
  name: 'uses',
  text: `${readTime}
for name, idle in string.gmatch(ARGV[3], '(%S+) (%S+)') do
  if idle == 'open' then redis.call('ZADD', KEYS[6], now + ARGV[2], name .. ' ' .. ARGV[1])
  elseif idle == 'closed' then redis.call('ZREM', KEYS[6], name .. ' ' .. ARGV[1])
  -- None that is gone comes back by it.
  else redis.call('ZADD', KEYS[4], 'XX', 'GT', now - idle, name) end
end
return 0`,
}

/**
 * Asks which workspaces were idle for longest, but for those that a replica holds. Arguments: for how long at least (ms),
 * how many names to give at most, and whether it is for the room of another one, which copies of partners do not take.
 * Reply: the time, then names and when they were used, as far as is known here.
 */
export const longestIdle: Script = {
  name: 'idle',
  text: `${readTime}
-- Names from before uses were counted.
if redis.call('ZCARD', KEYS[4]) < redis.call('ZCARD', KEYS[2]) then
  for _, name in ipairs(redis.call('ZRANGE', KEYS[2], 0, -1)) do redis.call('ZADD', KEYS[4], 'NX', now, name) end
end
-- Of replicas that are gone.
for _, ended in ipairs(redis.call('ZRANGE', KEYS[6], '-inf', now, 'BYSCORE')) do redis.call('ZREM', KEYS[6], ended) end
local held = {}
for _, hold in ipairs(redis.call('ZRANGE', KEYS[6], 0, -1)) do held[string.match(hold, '^%S+')] = true end
local most, found, from, page = 2 * ARGV[2], {now}, 0
repeat
  page = redis.call('ZRANGE', KEYS[4], '-inf', now - ARGV[1], 'BYSCORE', 'LIMIT', from, 100, 'WITHSCORES')
  for i = 1, #page, 2 do
    local is_copy = ARGV[3] == 'room' and redis.call('ZSCORE', KEYS[5], page[i])
    if #found <= most and not held[page[i]] and not is_copy then
      found[#found + 1] = page[i]
      found[#found + 1] = page[i + 1]
    end
  end
  from = from + 100
until #page < 200 or #found > most
return found`,
}

/**
 * Forgets a workspace, if nobody has used it for so long (ms, the only argument): a call whose batch came before keeps it,
 * and one whose batch comes after finds none. Reply: used, when, and how long ago; or gone, or none where there was none, and
 * the hits of its coverage.
 */
export const forgetIfIdle: Script = {
  name: 'forget',
  text: `${readTime}
local is_there = redis.call('EXISTS', KEYS[1]) == 1
if is_there then
  local used = tonumber(redis.call('HGET', KEYS[4], 'used_at'))
  if not used then
    used = now
    redis.call('HSET', KEYS[4], 'used_at', used)
  end
  if now - used < tonumber(ARGV[1]) then return {'used', used, now - used} end
end
local hits = redis.call('HGETALL', KEYS[5])
redis.call('DEL', KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5])
table.insert(hits, 1, is_there and 'gone' or 'none')
return hits`,
}

/**
 * Gives the name of a forgotten workspace back, unless somebody has taken or used it since. Arguments: the name, when it
 * was used as far as was known, when it was really used or nothing where it is gone, then hits of coverage.
 */
export const closeForgotten: Script = {
  name: 'closeForgotten',
  text: `
local is_same = redis.call('ZSCORE', KEYS[4], ARGV[1]) == ARGV[2]
if is_same and ARGV[3] ~= '' then redis.call('ZADD', KEYS[4], 'GT', ARGV[3], ARGV[1])
elseif is_same then
  ${giveBack}
end
for i = 4, #ARGV, 2 do redis.call('HINCRBY', KEYS[3], ARGV[i], ARGV[i + 1]) end
return 0`,
}

/** The coverage of workspaces that are gone; emptied, where the argument says so. */
export const goneCoverage: Script = {
  name: 'gone',
  text: `
local hits = redis.call('HGETALL', KEYS[3])
if ARGV[1] == 'clear' then redis.call('DEL', KEYS[3]) end
return hits`,
}
