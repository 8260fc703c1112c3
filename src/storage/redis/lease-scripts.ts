// The scripts on the keys of one workspace: its lease, the log of deltas, the checkpoint and the mark `wanted`.
//
// The lease has the token of its process and a generation, which differs for each acquisition, and counts the writes
// since then. A write states all three. So the engine refuses the write of a process that lost its lease, a write that
// arrives late over a discarded connection, and any write after the engine lost an earlier one.
import { defineScript, type DefinedScript } from './define-script.ts'

const keyNames = ['lease', 'log', 'checkpoint', 'wanted'] as const

/** The keys of a workspace, in the order of the scripts. All are in one slot of a cluster. */
export function workspaceKeys(prefix: string, workspace: string): string[] {
  return keyNames.map((key) => `{${prefix}:${workspace}}:${key}`)
}

/** The reply to a process that has the lease, but counts other writes than the engine. */
export const otherWrites = 0

const readLease = `
local held = redis.call('HMGET', lease, 'token', 'generation', 'writes', 'who')
if not held[1] and redis.call('EXISTS', lease) == 1 then
  return redis.error_reply('WRONGTYPE the lease has another form')
end
local is_mine = held[1] == token and held[2] == generation`

/** Replies with the owner, or an empty text if there is none. */
const refuseOthers = `${readLease}
if not is_mine then return held[4] or '' end`

/** A value of another program raises an error before the first write. */
const refuseOtherWrites = `${refuseOthers}
if held[3] ~= writes then return ${otherWrites} end
redis.call('LLEN', log)
redis.call('STRLEN', checkpoint)`

const owned = (script: DefinedScript): DefinedScript =>
  defineScript(keyNames, { ...script, args: ['token', 'generation', ...script.args] })

/**
 * Reply: the checkpoint and the list of deltas, or else the owner. A process may acquire what it owns: it reads again
 * after a write whose outcome is unknown.
 */
export const acquire = owned({
  name: 'acquire',
  about:
    'makes a process the owner and reads the workspace, so that no write falls between; or marks it as wanted and returns its owner',
  args: ['who', 'lease_ms', 'wanted_ms'],
  text: `${readLease}
local content = redis.call('GET', checkpoint)
local deltas = redis.call('LRANGE', log, 0, -1)
redis.call('GET', wanted)
if held[1] and held[1] ~= token then
  redis.call('SET', wanted, '1', 'PX', wanted_ms)
  return held[4] or ''
end
-- An acquisition that arrives late must not replace a newer one of the same process.
if held[1] and tonumber(held[2]) > tonumber(generation) then return held[4] or '' end
redis.call('HSET', lease, 'token', token, 'generation', generation, 'writes', 0, 'who', who)
redis.call('PEXPIRE', lease, lease_ms)
redis.call('DEL', wanted)
return {content, deltas}`,
})

/** Reply: 1, `otherWrites`, or the owner. */
export const appendDelta = owned({
  name: 'append',
  about: 'appends a delta if the process still owns the workspace and the engine has all of its writes',
  args: ['writes', 'delta'],
  text: `${refuseOtherWrites}
redis.call('RPUSH', log, delta)
redis.call('HINCRBY', lease, 'writes', 1)
return 1`,
})

/** Reply: as `appendDelta`. */
export const replaceCheckpoint = owned({
  name: 'checkpoint',
  about: 'replaces the checkpoint and its deltas in one step, so that no delta is applied twice or lost',
  args: ['writes', 'document'],
  text: `${refuseOtherWrites}
redis.call('SET', checkpoint, document)
redis.call('DEL', log)
redis.call('HINCRBY', lease, 'writes', 1)
return 1`,
})

/** Reply: as `appendDelta`. */
export const dropWorkspace = owned({
  name: 'drop',
  about: 'removes a workspace and its lease, so that no process acquires a half of it',
  args: ['writes'],
  text: `${refuseOtherWrites}
redis.call('DEL', lease, log, checkpoint, wanted)
return 1`,
})

/** Reply: 1, or the owner. */
export const releaseLease = owned({
  name: 'release',
  about: 'removes the lease if it is still that of the process',
  args: [],
  text: `${refuseOthers}
redis.call('DEL', lease, wanted)
return 1`,
})

/** Reply: whether another process wants the workspace (1 or 0), or the owner. */
export const renewLease = owned({
  name: 'renew',
  about: 'prolongs the lease if it is still that of the process; an expired one is never revived',
  args: ['lease_ms'],
  text: `${refuseOthers}
redis.call('PEXPIRE', lease, lease_ms)
return redis.call('EXISTS', wanted)`,
})
