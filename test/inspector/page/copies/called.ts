import type { ContractPoint } from '../../../../src/coverage/points/point.ts'
import { stringify } from '../../../../src/json/stringify.ts'
import { parseExact } from '../../../../src/json/parse-exact.ts'
import type { ExplainedEntry } from '../../../../src/operations/requests.ts'
import { startSandbox, fullKey, type WideOptions } from '../../../helpers/sandbox.ts'

/** A call of a table: what is sent. */
export interface Sent {
  method?: string
  path: string
  key?: string | null
  headers?: Record<string, string>
  body?: unknown
}

/**
 * A sandbox that a page looks at: its calls as the control plane tells them.
 * @param name that of the workspace of the calls, which is created.
 */
export async function lookedAt(options: WideOptions = {}, name?: string) {
  const sandbox = await startSandbox(options)
  const workspace = name === undefined ? sandbox : await sandbox.workspaces.create({ name })
  const suffix = name === undefined ? '' : `.${name}`
  const send = async ({
    method = 'GET',
    path,
    key = fullKey,
    headers = {},
    body,
  }: Sent): Promise<Response> => {
    const sent = new Headers(headers)
    if (key !== null && !sent.has('authorization')) sent.set('authorization', `Bearer ${key}${suffix}`)
    if (body !== undefined && !sent.has('content-type')) sent.set('content-type', 'application/json')
    const content = typeof body === 'string' ? body : stringify(body)
    return sandbox.fetch(path, { method, headers: sent, ...(body === undefined ? {} : { body: content }) })
  }
  const ask = async (path: string, init?: RequestInit): Promise<unknown> =>
    parseExact(
      await (
        await sandbox.fetch(
          `/_sandbox${path}${path.includes('?') ? '&' : '?'}workspace=${workspace.name}`,
          init,
        )
      ).text(),
      true,
    )
  /** The newest call. */
  const last = async (): Promise<ExplainedEntry> => {
    const [{ id = '' } = {}] = workspace.requests.list({ limit: 1 })
    return (await ask(`/requests/${id}`)) as ExplainedEntry
  }
  const { points } = (await ask('/contract')) as { points: ContractPoint[] }
  return {
    sandbox,
    send,
    ask,
    last,
    points,
    /** Sends a call, and reads what the journal has of it. */
    async entryOf(sent: Sent): Promise<ExplainedEntry> {
      await send(sent)
        .then((response) => response.text())
        .catch(() => undefined)
      return last()
    },
  }
}
