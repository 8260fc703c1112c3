// Workspaces over HTTP, /_sandbox/workspaces: list, create, delete.
import { notThere } from '../reading/refusals.ts'
import { nameOf, type Noun } from './define.ts'
import { bodyLimits, readIfSent } from './read-body.ts'
import type { Verbs } from '../verbs/index.ts'

const unknown = (verbs: Verbs, asked: string): Error => {
  const names = verbs.workspaces.list().map(({ name }) => name)
  return notThere('workspace', asked, names)
}

export const workspaces: Noun = {
  prepare: async (store, c) => {
    if (c.req.raw.method !== 'POST') await store.followAll()
  },
  path: '/_sandbox/workspaces',
  about:
    'the workspaces: POST {name?, fixtures?, scenarios?, clock?} makes one with things of its own, {name?, from} a copy of another',
  shared: true,
  inMemory: true,
  library: { GET: 'workspaces.list', POST: 'workspaces.create' },
  methods: {
    GET: (verbs) => Response.json({ workspaces: verbs.workspaces.list() }),
    POST: async (verbs, c) => {
      const source = await readIfSent(c, bodyLimits.documents)
      const made = await verbs.workspaces.createBy(source?.value)
      return Response.json(made.view(), { status: 201 })
    },
  },
}

export const workspace: Noun = {
  settle: (store) => store.dropped(),
  prepare: async (store, c) => {
    await store.readNames()
    await store.follow([nameOf(c)])
  },
  path: '/_sandbox/workspaces/:name',
  about: 'one workspace; DELETE forgets it with all that is in it',
  shared: true,
  inMemory: true,
  library: { GET: 'workspaces.get', DELETE: 'workspaces.delete' },
  methods: {
    GET: (verbs, c) => {
      const found = verbs.workspaces.get(nameOf(c))
      if (!found) throw unknown(verbs, nameOf(c))
      return Response.json(found)
    },
    DELETE: (verbs, c) => {
      if (!verbs.workspaces.delete(nameOf(c))) throw unknown(verbs, nameOf(c))
      return new Response(null, { status: 204 })
    },
  },
}
