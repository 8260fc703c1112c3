// The workspaces: switch, make, copy, delete.
import { useState } from 'hono/jsx/dom'
import type { WorkspaceView } from '../../../operations/sandbox-workspace.ts'
import { ConfirmButton } from '../confirm-button.tsx'
import { CopyButton } from '../copy-button.tsx'
import { textsOf } from '../form-texts.ts'
import { Heading } from '../heading.tsx'
import { linkTo } from '../route.ts'
import { canOnlyRead, messageOf, useAct, useAnswer, useSession } from '../session.ts'
import { useRefresh } from '../refresh.ts'
import { token } from '../token.ts'
import { ScrollingTable } from '../scrolling-table.tsx'

export function Workspaces() {
  const { source, route } = useSession()
  const canMake = source.isLive && !canOnlyRead()
  const { value, problem, again } = useAnswer<{ workspaces: WorkspaceView[] }>(
    '/workspaces',
    {},
    { shared: true },
  )
  useRefresh(again)
  const workspaces = value?.workspaces ?? []
  return (
    <>
      <Heading>Workspaces</Heading>
      <p>Each has its own rows, clock, scenarios and calls. Call it with the key that is listed.</p>
      {problem === undefined ? null : <p class="problem">{problem}</p>}
      <ScrollingTable
        name="Workspaces"
        columns={canMake ? ['Name', 'Key', 'Created at', 'Actions'] : ['Name', 'Key', 'Created at']}
        class="rows is-stacked"
      >
        {workspaces.map((workspace) => (
          <Row
            key={workspace.name}
            workspace={workspace}
            isShown={workspace.name === route.workspace}
            again={again}
          />
        ))}
      </ScrollingTable>
      {/* A partner may neither make one nor delete one. */}
      {canMake && token.workspace === undefined ? (
        <Make names={workspaces.map(({ name }) => name)} again={again} />
      ) : null}
    </>
  )
}

function Row(props: { workspace: WorkspaceView; isShown: boolean; again: () => void }) {
  const { workspace, isShown, again } = props
  const { name, api_key: key, created_at: at } = workspace
  const { source } = useSession()
  const canMake = source.isLive && !canOnlyRead()
  const act = useAct()
  // The list of a run contains all workspaces: there the name is a filter.
  const callsLink = linkTo({ view: 'requests', workspace: name, ...(source.run && { query: { in: name } }) })
  const remove = async (): Promise<void> => {
    // Requests of the current view would create the workspace again.
    if (isShown) location.hash = linkTo({ view: 'workspaces' })
    await act(() => source.ask('DELETE', `/workspaces/${encodeURIComponent(name)}`), `Deleted ${name}.`)
    again()
  }
  return (
    <tr>
      <th scope="row">
        <a href={callsLink} aria-current={isShown ? 'true' : undefined}>
          {name}
        </a>
        {isShown ? <span class="badge">shown</span> : null}
      </th>
      <td>
        {key === null ? (
          <span class="faint">not listed</span>
        ) : (
          <>
            <code>{key}</code> <CopyButton name="Copy" of={`the key of ${name}`} text={key} />
          </>
        )}
      </td>
      <td>{at}</td>
      {canMake ? (
        <td class="actions">
          <ConfirmButton
            name="Reset"
            question={`Reset ${name} to its initial state? This also deletes its calls.`}
            onConfirm={() =>
              void act(() => source.ask('POST', '/reset', { workspace: name }), `${name} was reset.`)
            }
          />
          {name === 'default' || token.workspace !== undefined ? null : (
            <ConfirmButton
              name="Delete"
              question={`Delete ${name} with all that is in it?`}
              onConfirm={() => void remove()}
            />
          )}
        </td>
      ) : null}
    </tr>
  )
}

function Make({ names, again }: { names: readonly string[]; again: () => void }) {
  const { source, say } = useSession()
  const [round, setRound] = useState(0)
  const [credentials, setCredentials] = useState('')
  const make = async (event: Event): Promise<void> => {
    event.preventDefault()
    const { name = '', from = '' } = textsOf(event.target)
    const body = { ...(name === '' ? {} : { name }), ...(from === '' ? {} : { from }) }
    try {
      const made = await source.ask<WorkspaceView & { admin_token?: string }>('POST', '/workspaces', { body })
      setCredentials(made.admin_token === undefined ? '' : JSON.stringify(made, null, 2))
      say(from === '' ? `Created ${made.name}.` : `Created ${made.name}, a copy of ${from}.`)
      setRound((before) => before + 1)
    } catch (error) {
      say(messageOf(error))
    }
    again()
  }
  return (
    <section aria-labelledby="make">
      <h2 id="make">New workspace</h2>
      <form key={round} onSubmit={(event: Event) => void make(event)}>
        <div class="fields">
          <label>
            Name
            <input
              name="name"
              maxlength={64}
              pattern="[A-Za-z0-9_\-]+"
              title="1 to 64 of A-Z, a-z, 0-9, _ and -"
              placeholder="chosen for you if empty"
              autocomplete="off"
            />
          </label>
          <label>
            Copy from
            <select name="from">
              <option value="">none: as the sandbox begins</option>
              {names.map((name) => (
                <option key={name} value={name}>
                  {name}
                </option>
              ))}
            </select>
          </label>
        </div>
        <button>Create</button>
      </form>
      {credentials === '' ? null : (
        <>
          <p class="notice">
            Its keys and its token are shown only once: copy them now.{' '}
            <CopyButton name="Copy" of="all that opens it" text={credentials} />
          </p>
          <pre tabindex={0}>{credentials}</pre>
        </>
      )}
    </section>
  )
}
