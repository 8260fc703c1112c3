// The keys of the engine, and scripts with names for their keys and arguments: each is one atomic step.
import type { Script } from './store-engine.ts'

const workspaceKeys = ['log', 'snapshot', 'journal', 'counts', 'coverage'] as const
const sandboxKeyNames = ['baseline', 'workspaces', 'coverage', 'used', 'copies', 'held'] as const

/** The keys of a workspace, in the order in which its scripts take them. One slot of a cluster holds them all. */
export function keysOf(prefix: string, workspace: string): string[] {
  return workspaceKeys.map((key) => `{${prefix}:${workspace}}:${key}`)
}

/** The pattern of the keys of a workspace, for messages. @param keys those of `keysOf`. */
export function patternOf([log = '']: readonly string[]): string {
  return log.replace(/log$/, '*')
}

/**
 * The keys of the sandbox: its baseline; the names of its workspaces; the coverage of deleted ones; when each name was used
 * last, in the time of the engine; which of them are copies of partners; and which replica holds which name, and until when.
 */
export function sandboxKeys(prefix: string): string[] {
  return sandboxKeyNames.map((key) => `{${prefix}}:${key}`)
}

/** A script with the names of its arguments, which are local variables of its text, as its keys are. */
export interface DeclaredScript extends Script {
  /** What it does in one step, and why nothing may come between. */
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

/** The time of the engine, in milliseconds. */
export const readTime = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)`

/** The commands of `oneCommand`. */
export const singleCommands = ['DEL', 'HGET', 'HGETALL', 'ZRANGE', 'ZSCORE'] as const

/** Runs a command on one key. After its name come its arguments behind the key. */
export const oneCommand: DeclaredScript = {
  name: 'command',
  about: 'runs one command on one key, which is one step already',
  args: ['command'],
  text: `return redis.call(ARGV[1], KEYS[1], unpack(ARGV, 2))`,
}
