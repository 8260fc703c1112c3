// The differences of a workspace to a fresh sandbox over HTTP: /_sandbox/differences.
import * as answers from './answers.ts'
import type { Noun } from './define.ts'

export const differences: Noun = {
  path: '/_sandbox/differences',
  answers: { GET: answers.differences },
  about:
    'what differs from a fresh sandbox: scenarios that are on, the clock, rows edited, assumptions changed',
  expensive: () => true,
  library: { GET: 'differences' },
  whyNoVerb: {
    GET: 'the page shows it; `snapshot diff baseline`, `scenarios active`, `clock` and `assumptions` print it',
  },
  methods: { GET: (_verbs, _c, workspace) => Response.json(workspace.differences()) },
}
