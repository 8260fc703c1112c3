// The rows of a workspace over HTTP, /_sandbox/state: the whole document, a collection, a row.
import * as answers from './answers.ts'
import { isJsonObject } from '../contract/formats.ts'
import type { WorkspaceVerbs } from '../operations/sandbox-workspace.ts'
import { rowPage } from '../operations/state.ts'
import { flagOf, stateSummary, type Noun } from './define.ts'
import type { ControlContext } from './context.ts'
import { requireHeld } from './held-token.ts'
import { bodyLimits, readDocument, readJson } from './read-body.ts'
import { sendDocument } from './send-document.ts'
import { sendJson } from './send-json.ts'

const collectionOf = (c: ControlContext): string => c.req.param('collection') ?? ''
const idOf = (c: ControlContext): string => c.req.param('id') ?? ''

export const state: Noun = {
  path: '/_sandbox/state',
  answers: { GET: answers.anyJson, PUT: answers.replaced },
  about: 'the state document, or with counts=true its row counts; PUT replaces it',
  query: ['counts'],
  maxBody: bodyLimits.documents,
  expensive: (c) => c.req.query('counts') !== 'true',
  library: { GET: 'state.document', PUT: 'state.replace' },
  methods: {
    GET: (_verbs, c, { state: rows }) =>
      flagOf(c, 'counts') ? Response.json({ counts: rows.counts() }) : sendDocument(c, rows.dump()),
    PUT: async (_verbs, c, workspace) => {
      await workspace.state.replaceBy(await readDocument(c, bodyLimits.documents), () => requireHeld(c))
      return stateSummary(workspace)
    },
  },
}

/** The account is one row, so it has no id. */
export const account: Noun = {
  path: '/_sandbox/state/account',
  answers: { GET: answers.anyJson, PUT: answers.anyJson, PATCH: answers.anyJson },
  about: 'the settings of the account; PATCH is a JSON Merge Patch',
  library: { GET: 'state.get', PUT: 'state.put', PATCH: 'state.patch' },
  methods: {
    GET: (_verbs, _c, workspace) => sendJson(workspace.state.own.get('account', 'account')),
    PUT: async (_verbs, c, workspace) =>
      sendJson(workspace.state.own.put('account', 'account', await readJson(c))),
    PATCH: async (_verbs, c, workspace) =>
      sendJson(workspace.state.own.patch('account', 'account', await readJson(c))),
  },
}

/** Stubs have no ids: they are read and replaced together. */
export const stubs: Noun = {
  path: '/_sandbox/state/stubs',
  answers: { GET: answers.anyJson, PUT: answers.anyJson },
  about: 'answers for operations that the contract does not list; PUT replaces them all',
  library: { GET: 'state.stubs', PUT: 'state.putStubs' },
  methods: {
    GET: (_verbs, _c, workspace) => sendJson({ stubs: workspace.state.own.stubs() }),
    PUT: async (_verbs, c, workspace) => {
      const sent = await readJson(c)
      // PUT accepts what GET returns.
      workspace.state.putStubs(isJsonObject(sent) && 'stubs' in sent ? sent['stubs'] : sent)
      return sendJson({ stubs: workspace.state.own.stubs() })
    },
  },
}

export const collection: Noun = {
  path: '/_sandbox/state/:collection',
  answers: { GET: answers.anyJson },
  about: `the rows of one collection, by ascending id; ${Object.keys(rowPage.shape).join(', ')} select some of them`,
  query: Object.keys(rowPage.shape),
  expensive: (c) => c.req.query('limit') === undefined,
  library: { GET: 'state.list' },
  methods: {
    GET: (_verbs, c, workspace) => {
      const { workspace: _workspace, ...page } = c.req.query()
      return sendDocument(c, workspace.state.dumpRows(collectionOf(c), page))
    },
  },
}

export const row: Noun = {
  path: '/_sandbox/state/:collection/:id',
  answers: { GET: answers.anyJson, PUT: answers.anyJson, PATCH: answers.anyJson, DELETE: answers.noContent },
  about: 'one row; PUT adds or replaces it, PATCH is a JSON Merge Patch',
  library: { GET: 'state.get', PUT: 'state.put', PATCH: 'state.patch', DELETE: 'state.delete' },
  methods: {
    GET: (_verbs, c, workspace) => sendJson(rowOf(c, workspace)),
    PUT: async (_verbs, c, workspace) => {
      // An unknown collection is reported first, whatever the body is.
      workspace.state.size(collectionOf(c))
      return sendJson(workspace.state.own.put(collectionOf(c), idOf(c), await readJson(c)))
    },
    PATCH: async (_verbs, c, workspace) => {
      rowOf(c, workspace)
      return sendJson(workspace.state.own.patch(collectionOf(c), idOf(c), await readJson(c)))
    },
    DELETE: (_verbs, c, workspace) => {
      if (!workspace.state.delete(collectionOf(c), idOf(c)))
        throw workspace.state.missing(collectionOf(c), idOf(c))
      return new Response(null, { status: 204 })
    },
  },
}

function rowOf(c: ControlContext, workspace: WorkspaceVerbs): object {
  const found = workspace.state.own.get(collectionOf(c), idOf(c))
  if (!found) throw workspace.state.missing(collectionOf(c), idOf(c))
  return found
}
