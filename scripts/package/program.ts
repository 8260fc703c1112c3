// Bundles all code that a start needs into one file, so that it is read and compiled once; and all code of the control
// plane into another one, which its first call loads.
import { join } from 'node:path'
import type { Rolldown } from 'tsdown'

/** The modules that begin each file, by their path in src. A file also contains their static imports. */
const begins = {
  program: ['cli/run.ts', 'cli/serve/start.ts', 'index.ts'],
  control: ['control/index.ts', 'sandbox/members.ts', 'sandbox/outboxes.ts'],
}

const files = Object.keys(begins)

/** Returns the options of the bundler that create `program.cjs` and `control.cjs`. */
export function programFile(src: string): Rolldown.OutputOptions {
  let fileOf: Map<string, string> | undefined
  return {
    // Code that only another verb needs is in the file, too. It must not run before it is imported.
    strictExecutionOrder: true,
    codeSplitting: {
      groups: files.map((file, index) => ({
        priority: files.length - index,
        name(id, context) {
          fileOf ??= filesOfModules(src, (each) => context.getModuleInfo(each)?.importedIds ?? [])
          return fileOf.get(id) === file ? file : null
        },
      })),
    },
    chunkFileNames: ({ name }) => (name in begins ? '[name].cjs' : '[name]-[hash].cjs'),
  }
}

/** Returns the file of each module. What several files need is in the first one. */
function filesOfModules(src: string, importsOf: (id: string) => readonly string[]): Map<string, string> {
  const fileOf = new Map<string, string>()
  for (const [file, roots] of Object.entries(begins)) {
    const reached = new Set(roots.map((path) => join(src, path)))
    for (const id of reached) for (const each of importsOf(id)) reached.add(each)
    for (const id of reached) if (!fileOf.has(id)) fileOf.set(id, file)
  }
  return fileOf
}
