// Readiness for load balancers over HTTP: GET /_sandbox/ready.
import * as answers from './answers.ts'
import type { Noun } from './define.ts'

export const ready: Noun = {
  path: '/_sandbox/ready',
  answers: { GET: answers.ready },
  about: 'readiness: 503 until the state is loaded, and while the sandbox shuts down; always open',
  open: true,
  shared: true,
  library: { GET: 'ready' },
  whyNoVerb: { GET: 'it is for load balancers; `wait` waits until a sandbox is ready' },
  methods: {
    GET: (verbs) => {
      const { ready: isReady, reason } = verbs.ready()
      if (isReady) return Response.json({ status: 'ready' })
      return Response.json({ status: 'not_ready', reason }, { status: 503 })
    },
  },
}
