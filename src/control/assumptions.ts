// The assumptions in force, over HTTP: GET /_sandbox/assumptions.
import type { Noun } from './define.ts'

export const assumptions: Noun = {
  path: '/_sandbox/assumptions',
  about: 'what the contract leaves open, and the value in force',
  shared: true,
  methods: { GET: (verbs) => Response.json({ assumptions: verbs.assumptions() }) },
}
