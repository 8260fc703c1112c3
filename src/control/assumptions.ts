// The assumptions in force, over HTTP, /_sandbox/assumptions: all of them, or one, and how many calls rest on each.
import * as answers from './answers.ts'
import { notThere } from '../input/refusals.ts'
import type { Noun } from './define.ts'

export const assumptions: Noun = {
  readsJournal: true,
  path: '/_sandbox/assumptions',
  answers: { GET: answers.assumptions },
  about: 'what the contract leaves open, the value in force, and how many calls in the journal rest on it',
  library: { GET: 'assumptions' },
  methods: { GET: (_verbs, _c, workspace) => Response.json({ assumptions: workspace.assumptions() }) },
}

export const assumption: Noun = {
  path: '/_sandbox/assumptions/:id',
  answers: { GET: answers.assumption },
  about: 'one of them',
  library: { GET: 'assumptions' },
  methods: {
    GET: (_verbs, c, workspace) => {
      const asked = c.req.param('id') ?? ''
      const all = workspace.assumptions()
      const found = all.find(({ id }) => id === asked)
      if (!found)
        throw notThere(
          'assumption',
          asked,
          all.map(({ id }) => id),
        )
      return Response.json(found)
    },
  },
}
