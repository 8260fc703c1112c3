// A request as something to paste elsewhere: copied, and shown as well.
import { useRef, useState } from 'hono/jsx/dom'
import type { ContractPoint } from '../../../coverage/points/point.ts'
import type { CallFixture } from '../../../explain/fixture-of-call.ts'
import { stringify } from '../../../json/stringify.ts'
import type { ExplainedEntry } from '../../../operations/requests.ts'
import { controlPath } from '../ask.ts'
import { copyText } from '../clipboard.ts'
import { asCurl } from '../copies/as-curl.ts'
import { asFetch } from '../copies/as-fetch.ts'
import { asScenario, scenarioOf } from '../copies/as-scenario.ts'
import { asJavascriptTest } from '../copies/as-javascript-test.ts'
import { asPytestTest } from '../copies/as-pytest-test.ts'
import { copiedTest, type CopiedTest } from '../copies/copied-test.ts'
import { copyContext } from '../copies/copy-context.ts'
import type { ControlRequest } from '../source.ts'
import { messageOf, useSession, type Session } from '../session.ts'
import { useEffect } from '../use-effect.ts'

/** A text, and notes about it. */
interface Copy {
  text: string
  notes: readonly string[]
}

type Make = (entry: ExplainedEntry, session: Session) => Promise<Copy> | Copy

const keyNote = (entry: ExplainedEntry): string => {
  const { workspace } = entry
  const suffix = workspace === 'default' ? '' : `, and ends in .${workspace}`
  const hidden = entry.request.body_bytes === undefined ? '' : ' The body is truncated, as in the journal.'
  return `SANDBOX_API_KEY is the key, which is not kept${entry.key_id === null ? '' : `: that of ${entry.key_id}`}${suffix}.${hidden}`
}

/** A test of the call, with its requirements. */
function testKind(write: (test: CopiedTest) => string): Make {
  return async (entry, session) => {
    const { source } = session
    const ask = <T,>(path: string, query: ControlRequest['query'] = {}): Promise<T> =>
      source.ask<T>('GET', path, { workspace: entry.workspace, query })
    const context = await copyContext(entry, ask, source.isLive)
    return {
      text: write(copiedTest(entry, context)),
      notes: context.fixtures
        ? ['It has the rows that the call read, as they were before it.']
        : ['It begins with the built-in rows; set workspaceOptions for others.'],
    }
  }
}

const kinds: Readonly<Record<string, Make>> = {
  curl: (entry, { source }) => ({
    text: asCurl(entry, addressOf(entry, source.isLive)),
    notes: [keyNote(entry)],
  }),
  fetch: (entry, { source }) => ({
    text: asFetch(entry, addressOf(entry, source.isLive)),
    notes: ['A module for Node.', keyNote(entry)],
  }),
  'vitest test': testKind((test) => asJavascriptTest(test, 'vitest')),
  'Playwright test': testKind((test) => asJavascriptTest(test, 'Playwright')),
  'Jest test': testKind((test) => asJavascriptTest(test, 'Jest')),
  'node:test test': testKind((test) => asJavascriptTest(test, 'node:test')),
  'pytest test': testKind(asPytestTest),
  scenario: async (entry, session) => {
    const points = await pointsOf(session)
    const text = asScenario(entry, points)
    const made = scenarioOf(entry, points)
    if (text === undefined) throw new Error('whyNot' in made ? made.whyNot : '')
    return {
      text,
      notes: [
        'A scenario file, as JSON: for --scenario, the editor of Scenarios, or POST /_sandbox/scenarios.',
        ...(text.includes('***') ? ['It hides what the journal hides (***).'] : []),
      ],
    }
  },
  fixture: async (entry, { source, route }) => {
    const { fixtures, unknown } = await source.ask<CallFixture>(
      'GET',
      `/requests/${encodeURIComponent(entry.id)}`,
      {
        workspace: route.workspace,
        query: { format: 'fixture' },
      },
    )
    const missing = unknown.map(({ collection, id, why }) => `${collection} ${id}: ${why}`)
    return {
      text: `${stringify(fixtures, 2)}\n`,
      notes: ['The rows that it read, as they were then: for --fixtures.', ...missing],
    }
  },
}

/** A trace has the rows of the end, and not those of then. */
const kindsOf = ({ source }: Session): string[] =>
  Object.keys(kinds).filter((kind) => source.isLive || kind !== 'fixture')

export function Copies({ entry }: { entry: ExplainedEntry }) {
  const session = useSession()
  const [copy, setCopy] = useState<(Copy & { kind: string }) | undefined>(undefined)
  const shown = useRef<HTMLElement>(null)
  const make = async (kind: string): Promise<void> => {
    try {
      const made = await kinds[kind]?.(entry, session)
      if (!made) return
      setCopy({ kind, ...made })
      const isCopied = await copyText(made.text)
      session.say(isCopied ? `Copied as ${kind}.` : 'It could not be copied: select it below the buttons.')
    } catch (error) {
      setCopy(undefined)
      session.say(messageOf(error))
    }
  }
  useEffect(() => void shown.current?.scrollIntoView({ block: 'nearest' }), [copy])
  return (
    <div>
      <h2>Copy</h2>
      <div class="bar">
        {kindsOf(session).map((kind) => (
          <button key={kind} type="button" onClick={() => void make(kind)}>
            Copy as {kind}
          </button>
        ))}
      </div>
      {copy ? (
        <div ref={shown}>
          <pre tabindex={0} role="region" aria-label={`As ${copy.kind}`}>
            {copy.text}
          </pre>
          {copy.notes.map((note) => (
            <p key={note} class="faint">
              {note}
            </p>
          ))}
        </div>
      ) : null}
    </div>
  )
}

/** Where the sandbox is; from a trace, where it was. */
function addressOf({ request }: ExplainedEntry, isLive: boolean): string {
  if (isLive) return location.origin + controlPath().replace(/\/_sandbox$/, '')
  const [host = 'localhost:4010'] = [request.headers['host'] ?? []].flat()
  return `http://${host}`
}

async function pointsOf({ source }: Session): Promise<readonly ContractPoint[]> {
  return (await source.ask<{ points: ContractPoint[] }>('GET', '/contract')).points
}
