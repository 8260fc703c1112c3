// The snapshots of a workspace: take, restore, delete, and the changes since.
import { useState } from 'hono/jsx/dom'
import type { SandboxSnapshot } from '../../../workspaces/snapshot.ts'
import { ConfirmButton } from '../confirm-button.tsx'
import { useAct, useAnswer, useCanChange, useLink, useSession } from '../session.ts'
import { ScrollingTable } from '../scrolling-table.tsx'

export function Snapshots() {
  const { source, route } = useSession()
  const { workspace } = route
  const link = useLink()
  const act = useAct()
  const canChange = useCanChange()
  const [round, setRound] = useState(0)
  const { value, problem, again } = useAnswer<{ snapshots: SandboxSnapshot[] }>('/snapshots')
  const on = (name: string, method: string, done: string, verb = ''): void => {
    const path = `/snapshots/${encodeURIComponent(name)}${verb}`
    void act(() => source.ask(method, path, { workspace }), done).then(again)
  }
  const take = (event: Event): void => {
    event.preventDefault()
    const name = String(new FormData(event.target as HTMLFormElement).get('name') ?? '')
    const path = `/snapshots/${encodeURIComponent(name)}`
    void act(() => source.ask('PUT', path, { workspace }), `Took the snapshot “${name}”.`).then((went) => {
      again()
      return went && setRound((before) => before + 1)
    })
  }
  const snapshots = value?.snapshots ?? []
  return (
    <section aria-labelledby="snapshots">
      <h2 id="snapshots">Snapshots</h2>
      {canChange ? (
        <form key={round} class="bar" onSubmit={take}>
          <label>
            Name of the snapshot
            <input
              name="name"
              required
              maxlength={64}
              pattern="[A-Za-z0-9_\-]+"
              title="1 to 64 of A-Z, a-z, 0-9, _ and -"
              autocomplete="off"
            />
          </label>
          <button>Take</button>
        </form>
      ) : null}
      {problem === undefined ? null : <p class="problem">{problem}</p>}
      {snapshots.length === 0 ? (
        <p class="faint">None so far. A snapshot saves all rows, to compare with or to restore.</p>
      ) : (
        <ScrollingTable
          name="Snapshots taken"
          columns={['Name', 'Taken at', 'Rows', 'Actions']}
          numbers={['Rows']}
          class="rows is-stacked"
        >
          {snapshots.map(({ name = '', created_at: at, rows }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{at}</td>
              <td class="number">{rows}</td>
              <td class="actions">
                <a href={link('state', [], { since: name })}>What changed since</a>
                {canChange ? (
                  <>
                    <ConfirmButton
                      name="Restore"
                      question={`Put all rows back to “${name}”? A clock that was set or frozen is restored, too.`}
                      onConfirm={() => {
                        on(name, 'POST', `All rows are as in “${name}”.`, '/restore')
                        // The diff is outdated after a restore.
                        if (route.query['since'] !== undefined) location.hash = link('state')
                      }}
                    />
                    <ConfirmButton
                      name="Delete"
                      question={`Delete the snapshot “${name}”?`}
                      onConfirm={() => on(name, 'DELETE', `Deleted the snapshot “${name}”.`)}
                    />
                  </>
                ) : null}
              </td>
            </tr>
          ))}
        </ScrollingTable>
      )}
    </section>
  )
}
