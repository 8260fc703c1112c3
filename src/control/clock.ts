// The clock of a workspace over HTTP, /_sandbox/clock: read, set, freeze, advance.
import * as answers from './answers.ts'
import type { WorkspaceVerbs } from '../operations/sandbox-workspace.ts'
import type { Noun } from './define.ts'
import { readJson } from './read-body.ts'

/** Answers once the clock has moved. @param deliver delivers the events that fall due on the way. */
async function moved(
  { clock: { read } }: WorkspaceVerbs,
  deliver: (() => Promise<void>) | undefined,
): Promise<Response> {
  await deliver?.()
  return Response.json(read())
}

export const clock: Noun = {
  path: '/_sandbox/clock',
  answers: { GET: answers.clock, PUT: answers.clock },
  about: 'the clock: PUT {now?, frozen?} moves it forward, freezes it or lets it run',
  library: { GET: 'clock.read', PUT: 'clock.set' },
  methods: {
    GET: (_verbs, _c, workspace) => Response.json(workspace.clock.read()),
    PUT: async (_verbs, c, workspace) => {
      return moved(workspace, workspace.clock.own.set(await readJson(c)))
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
      return moved(workspace, workspace.clock.own.advance(await readJson(c)))
    },
  },
}
