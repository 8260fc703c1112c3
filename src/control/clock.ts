// The clock of a workspace over HTTP, /_sandbox/clock: read, set, freeze, advance.
import * as answers from './answers.ts'
import type { Noun } from './define.ts'
import { readJson } from './read-body.ts'

export const clock: Noun = {
  path: '/_sandbox/clock',
  answers: { GET: answers.clock, PUT: answers.clock },
  about: 'the clock: PUT {now?, frozen?} moves it forward, freezes it or lets it run',
  library: { GET: 'clock.read', PUT: 'clock.set' },
  methods: {
    GET: (_verbs, _c, workspace) => Response.json(workspace.clock.read()),
    PUT: async (_verbs, c, workspace) => {
      workspace.clock.set(await readJson(c))
      return Response.json(workspace.clock.read())
    },
  },
}

export const advance: Noun = {
  path: '/_sandbox/clock/advance',
  answers: { POST: answers.clock },
  about: 'POST {days?, hours?, minutes?, seconds?} moves the clock forward',
  library: { POST: 'clock.advance' },
  methods: {
    POST: async (_verbs, c, workspace) => {
      workspace.clock.advance(await readJson(c))
      return Response.json(workspace.clock.read())
    },
  },
}
