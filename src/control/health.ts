// Health over HTTP, for probes: GET /_sandbox/health.
import type { Noun } from './define.ts'

export const health: Noun = {
  path: '/_sandbox/health',
  about: 'whether the sandbox is well; always open',
  open: true,
  forPages: true,
  shared: true,
  library: { GET: 'health' },
  methods: {
    GET: (verbs) => {
      const state = verbs.health()
      return Response.json(state, { status: state.status === 'ok' ? 200 : 503 })
    },
  },
}
