// Assumptions over HTTP, /_sandbox/assumptions: all of them or one, with their current values and the number of calls
// that rest on each.
import * as answers from './answers.ts'
import { notThere } from '../input/refusals.ts'
import type { Noun } from './define.ts'

export const assumptions: Noun = {
  path: '/_sandbox/assumptions',
  answers: { GET: answers.assumptions },
  about: 'the assumptions, their current values, and how many calls in the journal rest on each',
  library: { GET: 'assumptions' },
  methods: { GET: (_verbs, _c, workspace) => Response.json({ assumptions: workspace.assumptions() }) },
}

export const assumption: Noun = {
  path: '/_sandbox/assumptions/:id',
  answers: { GET: answers.assumption },
  about: 'one assumption',
  library: { GET: 'assumptions' },
  methods: {
    GET: (_verbs, c, workspace) => {
      const requested = c.req.param('id') ?? ''
      const all = workspace.assumptions()
      const found = all.find(({ id }) => id === requested)
      if (!found)
        throw notThere(
          'assumption',
          requested,
          all.map(({ id }) => id),
        )
      return Response.json(found)
    },
  },
}
