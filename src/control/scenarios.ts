import { z } from 'zod'
import { controlError } from '../http/control-error.ts'
import { isJsonObject } from '../contract/formats.ts'
import type { ControlContext, Noun } from './define.ts'
import { readJson, refusing } from './read-body.ts'

const names = z.array(z.string())

const unknown = (name: string): Response =>
  controlError('NOT_FOUND', `No scenario is called '${name}': GET /_sandbox/scenarios lists them.`)

const nameOf = (c: ControlContext): string => c.req.param('name') ?? ''

/** The catalogue, and what is registered in a workspace. */
export const scenarios: Noun = {
  path: '/_sandbox/scenarios',
  about: 'scenarios: the catalogue, with what is active; POST registers one in the workspace',
  methods: {
    GET: async (_verbs, _c, workspace) => Response.json({ scenarios: await workspace.scenarios.list() }),
    POST: (_verbs, c, workspace) =>
      refusing(async () => {
        const body = await readJson(c)
        if ('refusal' in body) return body.refusal
        if (!isJsonObject(body.value)) return controlError('INVALID', 'The body must be a scenario.')
        return Response.json(await workspace.scenarios.register(body.value), { status: 201 })
      }),
  },
}

/** The list that decides, in its order. */
export const activeScenarios: Noun = {
  path: '/_sandbox/scenarios/active',
  about: 'the active list: PUT ["name", …] replaces it',
  methods: {
    GET: async (_verbs, _c, workspace) => Response.json({ active: await workspace.scenarios.active() }),
    PUT: (_verbs, c, workspace) =>
      refusing(async () => {
        const body = await readJson(c)
        if ('refusal' in body) return body.refusal
        const read = names.safeParse(body.value)
        if (!read.success)
          return controlError('INVALID', 'The body must be a list of names, such as ["slow"].')
        return Response.json({ active: await workspace.scenarios.activate(...read.data) })
      }),
    DELETE: async (_verbs, _c, workspace) => {
      await workspace.scenarios.deactivate()
      return new Response(null, { status: 204 })
    },
  },
}

export const scenario: Noun = {
  path: '/_sandbox/scenarios/:name',
  about: 'one scenario; DELETE forgets one that was registered',
  methods: {
    GET: async (_verbs, c, workspace) => {
      const found = await workspace.scenarios.get(nameOf(c))
      return found ? Response.json(found) : unknown(nameOf(c))
    },
    DELETE: async (_verbs, c, workspace) =>
      (await workspace.scenarios.unregister(nameOf(c)))
        ? new Response(null, { status: 204 })
        : unknown(nameOf(c)),
  },
}
