// Health over HTTP, for probes: GET /_sandbox/health.
import * as answers from './answers.ts'
import type { Noun } from './define.ts'

export const health: Noun = {
  path: '/_sandbox/health',
  answers: { GET: answers.health },
  about: 'whether the sandbox is well; always open',
  open: true,
  forPages: true,
  shared: true,
  library: { GET: 'health' },
  methods: {
    GET: (verbs) => {
      // With one workspace of many that cannot be used, the others are still to be sent their calls.
      return Response.json(verbs.health(), { status: verbs.isServing() ? 200 : 503 })
    },
  },
}
