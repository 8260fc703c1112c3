// The reset of a workspace over HTTP: POST /_sandbox/reset.
import * as answers from './answers.ts'
import { standing, type Noun } from './define.ts'
import { readNothing } from './read-body.ts'

export const reset: Noun = {
  path: '/_sandbox/reset',
  answers: { POST: answers.replaced },
  about:
    'POST restores the state right after start: rows, ids, clock, scenarios, counters, journal; snapshots stay',
  library: { POST: 'reset' },
  methods: {
    POST: async (_verbs, c, workspace) => {
      await readNothing(c)
      workspace.reset()
      return standing(workspace)
    },
  },
}
