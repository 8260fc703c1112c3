// Reports over HTTP what the receiver of a listener answered, POST /_sandbox/events/:id/deliveries/:n: for `events listen`.
import { deliveryReport, event } from '../operations/events.ts'
import { readJson } from './read-body.ts'
import type { Handled } from './resource.ts'
import { sendJson } from './send-json.ts'

export const reportDelivery: Handled = {
  id: '',
  route: 'POST /_sandbox/events/:id/deliveries/:n',
  about: 'report what the receiver of a listener answered',
  body: deliveryReport,
  result: event,
  async handle(_verbs, c, workspace) {
    const { id = '', n = '' } = c.req.param()
    return sendJson(workspace.events.own.report(id, n, await readJson(c)))
  },
}
