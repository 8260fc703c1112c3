// Stops a sandbox over HTTP: POST /_sandbox/stop.
import * as answers from './answers.ts'
import type { Noun } from './define.ts'
import { readNothing } from './read-body.ts'

export const stop: Noun = {
  path: '/_sandbox/stop',
  answers: { POST: answers.stopping },
  about: 'POST stops the sandbox like SIGTERM: calls in flight are answered, and all data is saved',
  shared: true,
  library: { POST: 'close' },
  methods: {
    POST: async (verbs, c) => {
      await readNothing(c)
      verbs.stop()
      return Response.json({ status: 'stopping' }, { status: 202 })
    },
  },
}
