// Scripts of the engine with names for their keys and arguments: each is one atomic step on the keys of one slot.
import type { Script } from './store-engine.ts'

/** A script whose keys and arguments are local variables of its text. */
export interface DefinedScript extends Script {
  /** Its effect in one step, and why nothing may come between. */
  readonly about: string
  readonly args: readonly string[]
}

/** Defines a script. @param keys the names of its keys, in their order. */
export function defineScript(
  keys: readonly string[],
  { args, text, ...script }: DefinedScript,
): DefinedScript {
  return { ...script, args, text: locals('KEYS', keys) + locals('ARGV', args) + text.trim() }
}

function locals(list: 'KEYS' | 'ARGV', names: readonly string[]): string {
  if (names.length === 0) return ''
  return `local ${names.join(', ')} = ${names.map((_, index) => `${list}[${index + 1}]`).join(', ')}\n`
}
