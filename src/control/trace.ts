// The trace of a workspace as one HTML file over HTTP, GET /_sandbox/trace.
import type { Noun } from './define.ts'

export const trace: Noun = {
  path: '/_sandbox/trace',
  about: 'the calls of the workspace as one HTML file: the inspector with its data',
  expensive: () => true,
  library: { GET: 'trace' },
  whyNoVerb: { GET: '`exec --report trace.html` writes one of a run' },
  methods: {
    GET: async (_verbs, _c, workspace) => {
      const headers = {
        'content-type': 'text/html; charset=utf-8',
        'content-disposition': 'attachment; filename="trace.html"',
        'x-content-type-options': 'nosniff',
      }
      return new Response(await workspace.trace(), { headers })
    },
  },
}
