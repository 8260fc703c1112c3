/** Sends the requests of a contract point one after the other, as a shell would. */
import { tokenVariable, type SampleRequest } from '../../src/coverage/reports/sample-request.ts'
import type { Sandbox } from '../../src/index.ts'

export async function sendSamples(
  sandbox: Pick<Sandbox, 'fetch'>,
  requests: readonly SampleRequest[],
): Promise<void> {
  let kept = ''
  for (const { method, path, user, headers, body, keeps } of requests) {
    const filled = (text: string): string => text.replace(tokenVariable, kept)
    const content = body === undefined ? {} : { body: filled(body) }
    const auth = user === undefined ? {} : { authorization: `Basic ${btoa(user)}` }
    const answer = await sandbox.fetch(filled(path), {
      method,
      headers: { ...headers, ...auth },
      ...content,
    })
    const text = await answer.text()
    if (keeps !== undefined) kept = new RegExp(`.*"${keeps}":"([^"]*)"`, 's').exec(text)?.[1] ?? ''
  }
}
