// Health over HTTP, for probes: GET /_sandbox/health.
import * as answers from './answers.ts'
import type { Noun } from './define.ts'

export const health: Noun = {
  path: '/_sandbox/health',
  answers: { GET: answers.health },
  about: 'the health of the sandbox; always open',
  open: true,
  forPages: true,
  shared: true,
  library: { GET: 'health' },
  methods: {
    GET: (verbs) => {
      // If one workspace of many cannot be used, calls to the others must still be routed here.
      return Response.json(verbs.health(), { status: verbs.isServing() ? 200 : 503 })
    },
  },
}
