// Health over HTTP, for probes: GET /_sandbox/health. A header marks it, as other servers may answer the same words.
import * as answers from './answers.ts'
import type { Noun } from './define.ts'

/** The header that only a sandbox has. */
export const mark = { name: 'x-sandbox', value: 'partner-rewards-sandbox' }

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
      const status = verbs.isServing() ? 200 : 503
      return Response.json(verbs.health(), { status, headers: { [mark.name]: mark.value } })
    },
  },
}
