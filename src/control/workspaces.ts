// Workspaces over HTTP, /_sandbox/workspaces: list, create, delete.
import * as answers from './answers.ts'
import { nameOf, type Noun } from './define.ts'
import { requireHeld } from './held-token.ts'
import { bodyLimits, readIfSent, readNothing } from './read-body.ts'

export const workspaces: Noun = {
  forPartners: ['GET'],
  path: '/_sandbox/workspaces',
  answers: { GET: answers.workspaces, POST: answers.created },
  about:
    'the workspaces: POST {name?, fixtures?, scenarios?, clock?} creates one with its own rows, {name?, from} a copy of another',
  shared: true,
  maxBody: bodyLimits.documents,
  library: { GET: 'workspaces.list', POST: 'workspaces.create' },
  methods: {
    GET: async (verbs, c) => {
      await verbs.workspaces.refresh()
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
  path: '/_sandbox/workspaces/:name',
  answers: { GET: answers.workspace, DELETE: answers.noContent },
  about: 'one workspace; DELETE deletes it with everything in it',
  shared: true,
  library: { GET: 'workspaces.get', DELETE: 'workspaces.delete' },
  methods: {
    GET: async (verbs, c) => {
      await verbs.workspaces.exists(nameOf(c))
      const found = verbs.workspaces.get(nameOf(c))
      if (!found) throw verbs.workspaces.missing(nameOf(c))
      return Response.json(found)
    },
    DELETE: async (verbs, c) => {
      if (!(await verbs.workspaces.remove(nameOf(c)))) throw verbs.workspaces.missing(nameOf(c))
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
  library: { POST: 'workspaces.rotate' },
  methods: {
    POST: async (verbs, c) => {
      await readNothing(c)
      return Response.json(await verbs.workspaces.rotate(nameOf(c), () => requireHeld(c)))
    },
  },
}
