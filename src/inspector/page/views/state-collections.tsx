// The collections of a workspace with their counts, the whole document, and going back to the beginning.
import { stringify } from '../../../json/stringify.ts'
import { download } from '../download.ts'
import { Heading } from '../heading.tsx'
import { rowsReported, useAgainOn } from '../refresh.ts'
import { ResetButton } from '../reset-button.tsx'
import { useAct, useAnswer, useCanChange, useLink, useSession } from '../session.ts'
import { ChangesSince } from './changes-since.tsx'
import { Snapshots } from './snapshots.tsx'

/** Explanations of names that are not self-explanatory. */
const explained: Readonly<Record<string, string>> = {
  account: 'your account: the saved version of its keys',
  accounts: 'each belongs to a person and has statements',
  stubs: 'answers for paths that the contract does not list',
}

export function Collections() {
  const { source, route, visits } = useSession()
  const { workspace } = route
  const link = useLink()
  const act = useAct()
  const canChange = useCanChange()
  const { value, problem, again } = useAnswer<{ counts: Record<string, number> }>('/state', {
    counts: 'true',
  })
  useAgainOn((event) => rowsReported(event)?.length !== 0, again)
  const save = async (): Promise<void> =>
    download(`${workspace}.json`, `${stringify(await source.ask('GET', '/state', { workspace }), 2)}\n`)
  const since = route.query['since']
  return (
    <>
      <Heading>State</Heading>
      <div class="bar">
        <button type="button" onClick={() => void act(save, `Downloaded ${workspace}.json.`)}>
          Download
        </button>
        {canChange ? <ResetButton /> : null}
      </div>
      {problem === undefined ? null : <p class="problem">{problem}</p>}
      <table class="narrow">
        <caption class="faint">Rows of each collection</caption>
        <thead>
          <tr>
            <th scope="col">Collection</th>
            <th scope="col" class="number">
              Rows
            </th>
          </tr>
        </thead>
        <tbody>
          {Object.entries(value?.counts ?? {}).map(([collection, count]) => (
            <tr key={collection}>
              <td>
                <a href={link('state', [collection])}>{collection}</a>
                {explained[collection] === undefined ? null : (
                  <span class="faint"> {explained[collection]}</span>
                )}
              </td>
              <td class="number">{count}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {source.isLive ? <Snapshots /> : null}
      {since === undefined || !source.isLive ? null : (
        <ChangesSince key={`${since} ${visits}`} snapshot={since} />
      )}
    </>
  )
}
