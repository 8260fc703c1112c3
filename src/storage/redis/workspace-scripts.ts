// The scripts on the keys of one workspace: its log, snapshot, journal, counts and coverage.
import { ofWorkspace, readTime } from './declare-script.ts'

/**
 * The log is a stream: the id of an entry is its version, its fields are its nonce, the nonce of the entry before, and
 * the commit. Only the last entry holds the position of the log; no other key does, so the two can never differ.
 */
const readLog = `
local function version_of(entry) return tonumber(string.match(entry[1], '^%d+')) end
local function nonce_of(entry) return entry[2][2] end
local function entry_at(version)
  local found = redis.call('XRANGE', log, version .. '-0', version .. '-0')
  return found[1]
end
local function head_of()
  local last = redis.call('XREVRANGE', log, '+', '-', 'COUNT', 1)[1]
  if not last then return 0, '' end
  -- Values of another program stay unchanged.
  if last[2][1] ~= 'n' or last[2][3] ~= 'p' or last[2][5] ~= 'e' then return -1, '' end
  return version_of(last), nonce_of(last)
end`

/**
 * Commits are appended only if the last entry has the expected version and nonce: another nonce at the same version is
 * another history. For a batch that may have been sent before, the script first looks for its nonce.
 *
 * After its named arguments come the commits, the journal entries and the hits of coverage, each with their count
 * before them. `flags` says what is cleared (j journal, n request numbers, c coverage), and the time since the last
 * access (u, ms).
 *
 * Reply: the outcome of the commits (kept, lost, or read where there were none), the last request number, how to
 * continue (tail; reload or behind, with the snapshot; none where there is no log; foreign where another program wrote
 * it), the snapshot, the version of the last entry, and entries as groups of four. A log whose beginning is lost, and
 * that no snapshot replaces, is deleted: no replica could start from it.
 */
export const syncBatch = ofWorkspace({
  name: 'sync',
  about:
    'runs a batch of calls: appends their commits if no other replica wrote first, with journal, coverage, request numbers and last access, and returns the entries that the replica lacks',
  args: [
    'version',
    'nonce',
    'batch',
    'is_again',
    'numbers',
    'flags',
    'max_entries',
    'max_bytes',
    'max_given',
  ],
  text: `${readLog}
version, numbers = tonumber(version), tonumber(numbers)
max_entries, max_bytes = tonumber(max_entries), tonumber(max_bytes)
local again = is_again == '1'
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
  -- A count that is no number would abort the script after its first writes.
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
    -- Remaining values of a deleted workspace have no owner.
    if version == 0 then redis.call('DEL', snapshot, journal, counts, coverage) end
    head, head_nonce = version + committed, commits[2 * committed - 1]
  elseif again then
    local own = entry_at(version + committed)
    if own and nonce_of(own) == commits[2 * committed - 1] then status, is_first = 'kept', false end -- own nonce?
  end
  if status == 'kept' then version, nonce = version + committed, commits[2 * committed - 1] end
elseif called > 0 and tonumber(redis.call('HGET', counts, 'reset_at') or 0) > version then
  -- A reset cleared these calls before they were persisted.
  status = 'lost'
elseif again and called > 0 then
  for _, kept in ipairs(redis.call('LRANGE', journal, 0, -1)) do
    if string.sub(kept, 1, #batch) == batch then is_first = false break end
  end
end
if head == 0 then return {status, 0, 'none', ''} end
local ago = string.match(flags, 'u(%d+)')
if ago then
  ${readTime.trim()}
  -- Another replica may have reported a later access.
  if ago == '0' or now - ago > tonumber(redis.call('HGET', counts, 'used_at') or 0) then
    redis.call('HSET', counts, 'used_at', now - ago)
  end
end
if status ~= 'lost' and is_first then
  if string.find(flags, 'c', 1, true) then redis.call('DEL', coverage) end
  -- These writes come first, as only they can fail at values that are no numbers.
  for i = 1, hit do redis.call('HINCRBY', coverage, hits[2 * i - 1], hits[2 * i]) end
  if string.find(flags, 'j', 1, true) then
    redis.call('DEL', journal)
    redis.call('HDEL', counts, 'journal_added', 'journal_bytes')
  end
  if string.find(flags, 'n', 1, true) then
    redis.call('HDEL', counts, 'requests')
    redis.call('HSET', counts, 'reset_at', version)
  end
  if max_entries > 0 and called > 0 then
    local bytes = 0
    for i = 1, called do
      calls[i] = batch .. ':' .. i .. '|' .. calls[i]
      bytes = bytes + #calls[i]
    end
    -- One command for all calls: a batch of 32 calls takes the engine a fifth less time.
    local size = redis.call('LPUSH', journal, unpack(calls))
    if size > max_entries then
      for _, text in ipairs(redis.call('RPOP', journal, size - max_entries)) do bytes = bytes - #text end
      size = max_entries
    end
    bytes = redis.call('HINCRBY', counts, 'journal_bytes', bytes)
    redis.call('HINCRBY', counts, 'journal_added', called)
    while size > 1 and bytes > max_bytes do
      bytes = redis.call('HINCRBY', counts, 'journal_bytes', -#redis.call('RPOP', journal))
      size = size - 1
    end
  end
end
if appended then
  -- The commits come last: a script that fails earlier, at a key of another type or without a permission, leaves no commit.
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
    -- The snapshot is of another history.
    if not (kept and nonce_of(kept) == of) then begin, from = '', 0 end
    if from + 1 < first then
      redis.call('DEL', log, snapshot, journal, counts, coverage)
      return {status, 0, 'none', ''}
    end
  end
end
local reply = {status, number, how, begin, head}
if from < head then
  for _, entry in ipairs(redis.call('XRANGE', log, (from + 1) .. '-0', '+', 'COUNT', max_given)) do
    reply[#reply + 1] = version_of(entry)
    reply[#reply + 1] = entry[2][2]
    reply[#reply + 1] = entry[2][4]
    reply[#reply + 1] = entry[2][6]
  end
end
return reply`,
})

/** Replaces the log of a workspace by a snapshot of it at a version, and keeps the entries after another version. */
export const keepSnapshot = ofWorkspace({
  name: 'snapshot',
  about:
    'replaces the log up to a version by a snapshot, unless another replica has started another history since',
  args: ['version', 'nonce', 'kept_from', 'text'],
  text: `${readLog}
local entry = entry_at(version)
if not entry or nonce_of(entry) ~= nonce then return 0 end
redis.call('SET', snapshot, version .. ' ' .. nonce .. ' ' .. text)
redis.call('XTRIM', log, 'MINID', kept_from .. '-0')
return 1`,
})

/** Reply: how many entries the journal has had, then the entries, newest first. */
export const readJournal = ofWorkspace({
  name: 'journal',
  about: 'reads the journal and its count at the same moment',
  text: `
local entries = redis.call('LRANGE', journal, 0, -1)
table.insert(entries, 1, redis.call('HGET', counts, 'journal_added') or '0')
return entries`,
})

/**
 * Deletes a workspace; with `idle_ms` only if it was idle for so long: a call whose batch came before keeps it, and one
 * whose batch comes after finds none. Reply: used, when, and the idle time; or gone, or none if it did not exist, and
 * the hits of its coverage.
 */
export const dropWorkspace = ofWorkspace({
  name: 'drop',
  about: 'deletes a workspace; with `idle_ms` only one that no batch has used for that time',
  args: ['idle_ms'],
  text: `${readTime}
local is_there = redis.call('EXISTS', log) == 1
if is_there and idle_ms ~= '' then
  local used_at = tonumber(redis.call('HGET', counts, 'used_at'))
  if not used_at then
    used_at = now
    redis.call('HSET', counts, 'used_at', used_at)
  end
  if now - used_at < tonumber(idle_ms) then return {'used', used_at, now - used_at} end
end
local hits = redis.call('HGETALL', coverage)
redis.call('DEL', log, snapshot, journal, counts, coverage)
table.insert(hits, 1, is_there and 'gone' or 'none')
return hits`,
})
