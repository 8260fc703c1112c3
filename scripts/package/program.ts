// Bundles all code that a start needs into one file, so that it is read and compiled once.
import { join } from 'node:path'
import type { Rolldown } from 'tsdown'

/** The modules that a start runs, by their path in src. The file also contains their static imports. */
const started = ['cli/run.ts', 'cli/serve/start.ts', 'index.ts']

/** Returns the options of the bundler that create `program.cjs`. */
export function programFile(src: string): Rolldown.OutputOptions {
  let wanted: Set<string> | undefined
  return {
    // Code that only another verb needs is in the file, too. It must not run before it is imported.
    strictExecutionOrder: true,
    codeSplitting: {
      groups: [
        {
          name: (id, context) => {
            wanted ??= reachedFrom(
              started.map((path) => join(src, path)),
              (each) => context.getModuleInfo(each)?.importedIds ?? [],
            )
            return wanted.has(id) ? 'program' : null
          },
        },
      ],
    },
    chunkFileNames: ({ name }) => (name === 'program' ? '[name].cjs' : '[name]-[hash].cjs'),
  }
}

function reachedFrom(roots: readonly string[], importsOf: (id: string) => readonly string[]): Set<string> {
  const reached = new Set(roots)
  for (const id of reached) for (const each of importsOf(id)) reached.add(each)
  return reached
}
