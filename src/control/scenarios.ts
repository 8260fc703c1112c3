// Scenarios over HTTP, /_sandbox/scenarios: the catalogue, the active list, registering one.
import * as answers from './answers.ts'
import { z } from 'zod'
import { isJsonObject } from '../contract/formats.ts'
import { readBySchema } from '../input/schema-issues.ts'
import { maxYamlOfCall, sourceFromText, type Source } from '../input/source-file.ts'
import { nameOf, type Noun } from './define.ts'
import { requireHeld } from './held-token.ts'
import { readDocument, readJson, readNothing } from './read-body.ts'
import { Refusal } from './refusal.ts'
import { sendJson } from './send-json.ts'

const names = z.array(z.string())

/** The text of a scenario file instead of a scenario: problems are shown at the lines of that text. */
const asText = z.strictObject({ text: z.string() })

async function writtenOut(body: Source): Promise<Source> {
  const { data } = asText.safeParse(body.value)
  return data ? sourceFromText(data.text, 'text', '', maxYamlOfCall) : body
}

const unknown = (name: string): Refusal =>
  new Refusal('NOT_FOUND', `No scenario is called '${name}': GET /_sandbox/scenarios lists them.`)

export const scenarios: Noun = {
  path: '/_sandbox/scenarios',
  answers: { GET: answers.scenarios, POST: answers.scenario },
  about: 'scenarios: the catalogue, with what is active; POST registers one, or {text} of YAML or JSON',
  library: { GET: 'scenarios.list', POST: 'scenarios.register' },
  methods: {
    GET: async (_verbs, _c, workspace) => Response.json({ scenarios: await workspace.scenarios.list() }),
    POST: async (_verbs, c, workspace) => {
      const source = await writtenOut(await readDocument(c))
      if (!isJsonObject(source.value)) throw new Refusal('INVALID', 'The body must be a scenario.')
      return Response.json(await workspace.scenarios.registerBy(source, () => requireHeld(c)), {
        status: 201,
      })
    },
  },
}

export const activeScenarios: Noun = {
  path: '/_sandbox/scenarios/active',
  answers: { GET: answers.active, PUT: answers.active, PATCH: answers.active, DELETE: answers.noContent },
  about:
    'the active list: PUT ["name", …] replaces it, PATCH {on: [name, …], off: [name, …]} switches in one step',
  library: {
    GET: 'scenarios.active',
    PUT: 'scenarios.activate',
    PATCH: 'scenarios.switch',
    DELETE: 'scenarios.deactivate',
  },
  whyNoVerb: {
    PUT: '`scenarios on` and `scenarios off` switch one',
    DELETE: '`scenarios off` and `reset` remove them',
  },
  methods: {
    GET: async (_verbs, _c, workspace) => Response.json({ active: await workspace.scenarios.active() }),
    PUT: async (_verbs, c, workspace) => {
      const read = readBySchema(names, await readJson(c))
      if (read.issues) throw new Refusal('INVALID', 'The body must be a list of names, such as ["slow"].')
      return Response.json({ active: await workspace.scenarios.activateAll(read.data, () => requireHeld(c)) })
    },
    PATCH: async (_verbs, c, workspace) =>
      Response.json({ active: await workspace.scenarios.switch(await readJson(c), () => requireHeld(c)) }),
    DELETE: async (_verbs, c, workspace) => {
      await workspace.scenarios.activateAll([], () => requireHeld(c))
      return new Response(null, { status: 204 })
    },
  },
}

export const restartScenario: Noun = {
  path: '/_sandbox/scenarios/:name/restart',
  answers: { POST: answers.scenario },
  about: 'POST restarts the scenario: its counters begin at zero',
  library: { POST: 'scenarios.restart' },
  methods: {
    POST: async (_verbs, c, workspace) => {
      await readNothing(c)
      if (!(await workspace.scenarios.getOwn(nameOf(c)))) throw unknown(nameOf(c))
      return Response.json(await workspace.scenarios.restart(nameOf(c), () => requireHeld(c)))
    },
  },
}

export const scenario: Noun = {
  path: '/_sandbox/scenarios/:name',
  answers: { GET: answers.scenario, DELETE: answers.noContent },
  about: 'one scenario; DELETE removes one that was registered',
  library: { GET: 'scenarios.get', DELETE: 'scenarios.unregister' },
  whyNoVerb: { DELETE: '`scenarios off` ends its effects, and `reset` removes it' },
  methods: {
    GET: async (_verbs, c, workspace) => {
      const found = await workspace.scenarios.getOwn(nameOf(c))
      if (!found) throw unknown(nameOf(c))
      return sendJson(found)
    },
    DELETE: async (_verbs, c, workspace) => {
      if (!(await workspace.scenarios.unregister(nameOf(c), () => requireHeld(c)))) throw unknown(nameOf(c))
      return new Response(null, { status: 204 })
    },
  },
}
