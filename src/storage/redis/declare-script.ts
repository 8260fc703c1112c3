// The keys of the engine, and scripts with names for their keys and arguments: each is one atomic step.
import type { Script } from './store-engine.ts'

const workspaceKeys = ['log', 'snapshot', 'journal', 'counts', 'coverage'] as const
const sandboxKeyNames = ['baseline', 'workspaces', 'coverage', 'used', 'copies', 'held'] as const

/** The keys of a workspace, in the order of the script arguments. All are in one slot of a cluster. */
export function keysOf(prefix: string, workspace: string): string[] {
  return workspaceKeys.map((key) => `{${prefix}:${workspace}}:${key}`)
}

/** Returns the pattern of the keys of a workspace, for messages. @param keys those of `keysOf`. */
export function patternOf([log = '']: readonly string[]): string {
  return log.replace(/log$/, '*')
}

/**
 * The keys of the sandbox: its baseline; the names of its workspaces; the coverage of deleted workspaces; the last
 * access of each name in the engine's time; which of them are copies of partners; and which replica holds which name
 * until when.
 */
export function sandboxKeys(prefix: string): string[] {
  return sandboxKeyNames.map((key) => `{${prefix}}:${key}`)
}

/** A script with named arguments, which are local variables in its text, as are its keys. */
export interface DeclaredScript extends Script {
  /** Its effect in one step, and why nothing may come between. */
  readonly about: string
  readonly args: readonly string[]
}

type Declaration = Omit<DeclaredScript, 'args'> & { readonly args?: readonly string[] }

/** A script on the keys of a workspace. */
export const ofWorkspace = (script: Declaration): DeclaredScript => declared(workspaceKeys, script)

/** A script on the keys of the sandbox. */
export const ofSandbox = (script: Declaration): DeclaredScript => declared(sandboxKeyNames, script)

function declared(keys: readonly string[], { args = [], text, ...script }: Declaration): DeclaredScript {
  return { ...script, args, text: locals('KEYS', keys) + locals('ARGV', args) + text.trim() }
}

function locals(list: 'KEYS' | 'ARGV', names: readonly string[]): string {
  if (names.length === 0) return ''
  return `local ${names.join(', ')} = ${names.map((_, place) => `${list}[${place + 1}]`).join(', ')}\n`
}

/** The time of the engine (ms). */
export const readTime = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)`

/** The commands of `oneCommand`. */
export const singleCommands = ['DEL', 'HGET', 'HGETALL', 'ZRANGE', 'ZSCORE'] as const

/** Runs a command on one key. Its arguments after the key follow its name. */
export const oneCommand: DeclaredScript = {
  name: 'command',
  about: 'runs one command on one key, which is one step already',
  args: ['command'],
  text: `return redis.call(ARGV[1], KEYS[1], unpack(ARGV, 2))`,
}
