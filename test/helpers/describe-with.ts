import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { describe } from 'vitest'

/** `describe` for what needs a program; where it is not installed it says in one line what it skipped. */
export function describeWith(program: string): typeof describe.skip {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  if (folders.some((folder) => existsSync(join(folder, program)))) return describe
  const skip = (...[name, ...rest]: Parameters<typeof describe.skip>) => {
    process.stderr.write(`skipped, as ${program} is not installed: ${String(name)}\n`)
    return describe.skip(name, ...rest)
  }
  return Object.assign(skip, describe.skip)
}
