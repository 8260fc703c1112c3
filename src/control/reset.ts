// The reset of a workspace over HTTP: POST /_sandbox/reset.
import * as answers from './answers.ts'
import { stateSummary, type Noun } from './define.ts'
import { bodyLimits, readIfSent } from './read-body.ts'

export const reset: Noun = {
  path: '/_sandbox/reset',
  answers: { POST: answers.replaced },
  about:
    'POST restores the state right after start: rows, ids, clock, scenarios, counters, journal; snapshots stay; with {"ids": "continue"} ids continue',
  library: { POST: 'reset' },
  methods: {
    POST: async (_verbs, c, workspace) => {
      workspace.reset((await readIfSent(c, bodyLimits.small))?.value)
      return stateSummary(workspace)
    },
  },
}
