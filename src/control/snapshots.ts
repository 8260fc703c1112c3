// Snapshots over HTTP, /_sandbox/snapshots: take, download, restore, diff, delete.
import * as answers from './answers.ts'
import { nameOf, stateSummary, type Noun } from './define.ts'
import { readNothing } from './read-body.ts'
import { sendDocument, sendDocuments } from './send-document.ts'

export const snapshots: Noun = {
  path: '/_sandbox/snapshots',
  answers: { GET: answers.snapshots },
  about: 'the snapshots of the workspace',
  library: { GET: 'snapshots.list' },
  methods: {
    GET: (_verbs, _c, workspace) => Response.json({ snapshots: workspace.snapshots.list() }),
  },
}

export const snapshot: Noun = {
  path: '/_sandbox/snapshots/:name',
  answers: { GET: answers.anyJson, PUT: answers.snapshot, DELETE: answers.noContent },
  about: 'one snapshot: PUT takes it, GET downloads it as a state document',
  expensive: () => true,
  library: { GET: 'snapshots.get', PUT: 'snapshot', DELETE: 'snapshots.delete' },
  methods: {
    GET: (_verbs, c, workspace) => sendDocument(c, workspace.snapshots.find(nameOf(c)).dump()),
    PUT: async (_verbs, c, workspace) => {
      await readNothing(c)
      return Response.json(workspace.snapshots.take(nameOf(c)))
    },
    DELETE: (_verbs, c, workspace) => {
      workspace.snapshots.remove(nameOf(c))
      return new Response(null, { status: 204 })
    },
  },
}

export const restore: Noun = {
  path: '/_sandbox/snapshots/:name/restore',
  answers: { POST: answers.replaced },
  about: 'POST restores rows, ids and a clock that was set',
  library: { POST: 'restore' },
  methods: {
    POST: async (_verbs, c, workspace) => {
      await readNothing(c)
      workspace.snapshots.restore(nameOf(c))
      return stateSummary(workspace)
    },
  },
}

export const diff: Noun = {
  path: '/_sandbox/snapshots/:name/diff',
  answers: { GET: answers.stateDiff },
  about: 'the differences to the snapshot, or with ?with=NAME between two snapshots',
  query: ['with'],
  expensive: () => true,
  library: { GET: 'snapshots.diff' },
  methods: {
    GET: (_verbs, c, workspace) =>
      sendDocuments(c, workspace.snapshots.compare(nameOf(c), c.req.query('with'))),
  },
}
