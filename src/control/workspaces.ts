// Workspaces over HTTP, /_sandbox/workspaces: list, create, delete.
import * as answers from './answers.ts'
import { nameOf, type Noun } from './define.ts'
import { requireHeld } from './held-token.ts'
import { bodyLimits, readIfSent, readNothing } from './read-body.ts'

export const workspaces: Noun = {
  prepare: async (storage, c) => {
    if (c.req.raw.method === 'POST') return
    const partner = c.env?.partner
    await (partner ? storage.refreshCopies(partner.of) : storage.refreshAll())
  },
  forPartners: ['GET'],
  path: '/_sandbox/workspaces',
  answers: { GET: answers.workspaces, POST: answers.created },
  about:
    'the workspaces: POST {name?, fixtures?, scenarios?, clock?} creates one with its own rows, {name?, from} a copy of another',
  shared: true,
  maxBody: bodyLimits.documents,
  inMemory: true,
  library: { GET: 'workspaces.list', POST: 'workspaces.create' },
  methods: {
    GET: (verbs, c) => {
      const own = verbs.workspaces.list().filter(({ name }) => c.env?.partner?.owns(name) ?? true)
      return Response.json({ workspaces: own })
    },
    POST: async (verbs, c) => {
      const source = await readIfSent(c, bodyLimits.documents)
      const made = await verbs.workspaces.createBy(source?.value)
      return Response.json(made.credentials ?? made.view(), { status: 201 })
    },
  },
}

export const workspace: Noun = {
  forPartners: ['GET'],
  prepare: async (storage, c) => {
    // The copies of a workspace are deleted with it, including those that other processes created.
    if (c.req.raw.method === 'DELETE') await storage.refreshCopies(nameOf(c))
    await storage.refreshNames(nameOf(c))
  },
  path: '/_sandbox/workspaces/:name',
  answers: { GET: answers.workspace, DELETE: answers.noContent },
  about: 'one workspace; DELETE deletes it with everything in it',
  shared: true,
  inMemory: true,
  library: { GET: 'workspaces.get', DELETE: 'workspaces.delete' },
  methods: {
    GET: (verbs, c) => {
      const found = verbs.workspaces.get(nameOf(c))
      if (!found) throw verbs.workspaces.missing(nameOf(c))
      return Response.json(found)
    },
    DELETE: async (verbs, c) => {
      if (!verbs.workspaces.delete(nameOf(c))) throw verbs.workspaces.missing(nameOf(c))
      await verbs.workspaces.removed(nameOf(c))
      return new Response(null, { status: 204 })
    },
  },
}

export const rotate: Noun = {
  path: '/_sandbox/workspaces/:name/rotate',
  answers: { POST: answers.credentials },
  about:
    'POST revokes all keys and the token of the workspace (with --isolation partner), and answers with the new ones',
  shared: true,
  forPartners: ['POST'],
  // A rotation is answered after it was saved.
  inMemory: true,
  library: { POST: 'workspaces.rotate' },
  methods: {
    POST: async (verbs, c) => {
      await readNothing(c)
      return Response.json(await verbs.workspaces.rotate(nameOf(c), () => requireHeld(c)))
    },
  },
}
