// One file for all that a start needs: read, checked and compiled at once, and kept whole in the code cache.
import { join } from 'node:path'
import type { Rolldown } from 'tsdown'

/** What a start runs, by its path in src; with what these import, and not what waits for a call. */
const started = ['cli/run.ts', 'cli/serve/start.ts', 'index.ts']

/** The options that put it into `program.cjs`. */
export function programFile(src: string): Rolldown.OutputOptions {
  let wanted: Set<string> | undefined
  return {
    // What only another verb needs is in the file, and runs when it is asked for.
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
