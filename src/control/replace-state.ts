// Replaces all rows over HTTP, PUT /_sandbox/state: a hand-written route, as problems have the lines of the body.
import { z } from 'zod'
import { replaced, summaryOf } from '../operations/replaced.ts'
import { requireHeld } from './held-token.ts'
import { bodyLimits, readDocument } from './read-body.ts'
import type { Handled } from './resource.ts'

export const replaceState: Handled = {
  id: 'state.replace',
  route: 'PUT /_sandbox/state',
  about: 'replace the state by a document',
  body: z.looseObject({}),
  maxBody: bodyLimits.documents,
  result: replaced,
  async handle(_verbs, c, workspace) {
    await workspace.state.replaceBy(await readDocument(c, bodyLimits.documents), () => requireHeld(c))
    return Response.json(summaryOf(workspace))
  },
}
