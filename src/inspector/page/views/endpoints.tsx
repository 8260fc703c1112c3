// The endpoints that receive webhook events: add, enable, disable, remove, and replace the secret.
import { useState } from 'hono/jsx/dom'
import type { WebhookEndpoint, WebhookEndpointWithSecret } from '../../../operations/webhooks.ts'
import { ConfirmButton } from '../confirm-button.tsx'
import { CopyButton } from '../copy-button.tsx'
import { useAct, useAnswer, useCanChange, useSession } from '../session.ts'
import { useEventRefresh } from './event-parts.tsx'
import { ScrollingTable } from '../scrolling-table.tsx'

interface Endpoints {
  webhook_endpoints: WebhookEndpoint[]
}

/** The URL of each endpoint that has one, by its id. */
export function useEndpointUrls(): ReadonlyMap<string, string> {
  const { value } = useAnswer<Endpoints>('/webhook_endpoints')
  return new Map(value?.webhook_endpoints.flatMap(({ id, url }) => (url === null ? [] : [[id, url]])))
}

const targetOf = ({ url, listener }: WebhookEndpoint): string =>
  url === null ? 'a handler in the program' : listener ? `${url} (by a listener)` : url

export function Endpoints() {
  const { source, route } = useSession()
  const { workspace } = route
  const act = useAct()
  const canChange = useCanChange()
  const [round, setRound] = useState(0)
  /** The endpoint whose secret is shown: the control plane returns it only once. */
  const [shown, setShown] = useState<WebhookEndpointWithSecret | undefined>(undefined)
  const { value, again } = useAnswer<Endpoints>('/webhook_endpoints')
  useEventRefresh(again)
  const ask = (method: string, path: string, body?: object): Promise<WebhookEndpointWithSecret> =>
    source.ask(method, `/webhook_endpoints${path}`, { workspace, body })
  const add = (event: Event): void => {
    event.preventDefault()
    const form = new FormData(event.target as HTMLFormElement)
    const types = String(form.get('types') ?? '')
      .split(',')
      .map((type) => type.trim())
      .filter((type) => type !== '')
    const body = { url: String(form.get('url') ?? ''), ...(types.length > 0 && { events: types }) }
    const post = (): Promise<WebhookEndpointWithSecret> => ask('POST', '', body)
    void act(post, (added) => {
      setShown(added)
      return added.warning === undefined ? `Added ${added.id}.` : `Added ${added.id}. ${added.warning}.`
    }).then((went) => {
      again()
      return went && setRound((before) => before + 1)
    })
  }
  const on = (method: string, path: string, done: string, body?: object): void =>
    void act(() => ask(method, path, body), done).then(again)
  const rotate = (id: string): void =>
    void act(
      () => ask('POST', `/${id}/rotate`),
      (rotated) => {
        setShown(rotated)
        return `Replaced the secret of ${id}.`
      },
    ).then(again)
  const remove = (id: string): void => {
    on('DELETE', `/${encodeURIComponent(id)}`, `Removed ${id}.`)
    if (shown?.id === id) setShown(undefined)
  }
  const endpoints = value?.webhook_endpoints ?? []
  return (
    <section aria-labelledby="endpoints">
      <h2 id="endpoints">Endpoints</h2>
      {canChange ? (
        <form key={round} class="bar" onSubmit={add}>
          <label>
            URL of the receiver
            <input
              name="url"
              type="url"
              required
              placeholder="http://localhost:3000/webhooks"
              autocomplete="off"
            />
          </label>
          <label>
            Types
            <input name="types" placeholder="all, or reward.updated, …" autocomplete="off" />
          </label>
          <button>Add</button>
        </form>
      ) : null}
      {shown === undefined ? null : (
        <p class="notice bar">
          <span>
            Secret of {shown.id}: <code>{shown.secret}</code>
          </span>
          <CopyButton name="Copy secret" text={shown.secret} />
        </p>
      )}
      {endpoints.length === 0 ? (
        <p class="faint">None so far. Events are collected until an endpoint receives their type.</p>
      ) : (
        <ScrollingTable
          name="Endpoints that receive events"
          columns={['Id', 'Receiver', 'Types', 'State', 'Actions']}
          class="rows is-stacked"
        >
          {endpoints.map((endpoint) => {
            const { id, events, enabled, warning } = endpoint
            const path = `/${encodeURIComponent(id)}`
            return (
              <tr key={id}>
                <th scope="row">{id}</th>
                <td class="wraps">
                  {targetOf(endpoint)}
                  {warning === undefined ? null : <div class="faint">{warning}</div>}
                </td>
                <td class="wraps">{events.includes('*') ? 'all' : events.join(', ')}</td>
                <td>{enabled ? 'enabled' : 'disabled'}</td>
                <td class="actions">
                  {canChange ? (
                    <>
                      <button
                        type="button"
                        aria-label={`${enabled ? 'Disable' : 'Enable'} ${id}`}
                        onClick={() =>
                          on('PATCH', path, `${enabled ? 'Disabled' : 'Enabled'} ${id}.`, {
                            enabled: !enabled,
                          })
                        }
                      >
                        {enabled ? 'Disable' : 'Enable'}
                      </button>
                      <ConfirmButton
                        name="Replace secret"
                        question={`Replace the secret of ${id}? The old one signs too for 24 hours.`}
                        onConfirm={() => rotate(id)}
                      />
                      <ConfirmButton
                        name="Remove"
                        question={`Remove ${id}? Its waiting attempts are skipped.`}
                        onConfirm={() => remove(id)}
                      />
                    </>
                  ) : null}
                </td>
              </tr>
            )
          })}
        </ScrollingTable>
      )}
    </section>
  )
}
