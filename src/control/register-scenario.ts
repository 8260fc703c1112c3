// Registers a scenario over HTTP, POST /_sandbox/scenarios.
import { z } from 'zod'
import { isJsonObject } from '../contract/formats.ts'
import { maxYamlOfCall, sourceFromText, type Source } from '../input/source-file.ts'
import type { Handled } from './resource.ts'
import { requireHeld } from './held-token.ts'
import { readDocument } from './read-body.ts'
import { Refusal } from './refusal.ts'
import { sendJson } from './send-json.ts'

/** The text of a scenario file instead of a scenario: problems are shown at the lines of that text. */
const asText = z.strictObject({ text: z.string() })

async function writtenOut(body: Source): Promise<Source> {
  const { data } = asText.safeParse(body.value)
  return data ? sourceFromText(data.text, 'text', '', maxYamlOfCall) : body
}

/** Adds a scenario to a workspace: a hand-written route, as problems have the lines of the body. */
export const registerScenario: Handled = {
  id: 'scenarios.register',
  route: 'POST /_sandbox/scenarios',
  about: 'add a scenario to the workspace: a scenario, or {text} with YAML or JSON',
  body: z.looseObject({ name: z.string(), description: z.string() }).or(asText),
  result: z.looseObject({ name: z.string(), description: z.string() }),
  status: 201,
  async handle(_verbs, c, workspace) {
    const source = await writtenOut(await readDocument(c))
    if (!isJsonObject(source.value)) throw new Refusal('INVALID', 'The body must be a scenario.')
    return sendJson(await workspace.scenarios.registerBy(source, () => requireHeld(c)), 201)
  },
}
