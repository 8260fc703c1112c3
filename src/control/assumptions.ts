// The assumptions in force, over HTTP, /_sandbox/assumptions: all of them, or one.
import { notThere } from '../reading/refusals.ts'
import type { Noun } from './define.ts'

export const assumptions: Noun = {
  path: '/_sandbox/assumptions',
  about: 'what the contract leaves open, and the value in force',
  shared: true,
  library: { GET: 'assumptions' },
  methods: { GET: (verbs) => Response.json({ assumptions: verbs.assumptions() }) },
}

export const assumption: Noun = {
  path: '/_sandbox/assumptions/:id',
  about: 'one of them',
  shared: true,
  library: { GET: 'assumptions' },
  methods: {
    GET: (verbs, c) => {
      const asked = c.req.param('id') ?? ''
      const all = verbs.assumptions()
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
