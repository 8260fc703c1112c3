// The clock of a workspace: what it shows, freeze, advance.
import { useMemo, useState } from 'hono/jsx/dom'
import type { ClockReading } from '../../../runtime/clock.ts'
import { distanceOf, shownBy } from '../clock-reading.ts'
import { Heading } from '../heading.tsx'
import { useRefresh } from '../refresh.ts'
import { messageOf, useAnswer, useCanChange, useSession } from '../session.ts'
import { textsOf } from '../form-texts.ts'
import { useEffect } from '../use-effect.ts'

const units = ['days', 'hours', 'minutes', 'seconds'] as const

export function ClockView() {
  const { source, route, say } = useSession()
  const canChange = useCanChange()
  const { value, problem, again } = useAnswer<ClockReading>('/clock')
  const [refusal, setRefusal] = useState('')
  useRefresh(again, 5_000)
  const change = async (method: string, path: string, body: object, done: string): Promise<void> => {
    try {
      await source.ask(method, path, { workspace: route.workspace, body })
      setRefusal('')
      say(done)
    } catch (error) {
      setRefusal(messageOf(error))
      say(messageOf(error))
    }
    again()
  }
  return (
    <>
      <Heading>Clock</Heading>
      {problem === undefined ? null : <p class="problem">{problem}</p>}
      {value ? <Shown reading={value} /> : null}
      {refusal === '' ? null : <p class="problem">{refusal}</p>}
      {canChange && value ? (
        <>
          <button
            type="button"
            onClick={() => {
              const frozen = !value.frozen
              void change('PUT', '/clock', { frozen }, frozen ? 'The clock stands still.' : 'The clock runs.')
            }}
          >
            {value.frozen ? 'Unfreeze' : 'Freeze'}
          </button>
          <h2>Advance</h2>
          <form
            class="bar"
            onSubmit={(event: Event) => {
              event.preventDefault()
              const distance = distanceOf(textsOf(event.target))
              void change('POST', '/clock/advance', distance, 'The clock was advanced.')
            }}
          >
            {units.map((unit) => (
              <label key={unit}>
                {unit}
                <input class="short" name={unit} type="number" min="0" step="any" />
              </label>
            ))}
            <button>Advance</button>
          </form>
          <h2>Set</h2>
          <form
            class="bar"
            onSubmit={(event: Event) => {
              event.preventDefault()
              const { now = '' } = textsOf(event.target)
              void change('PUT', '/clock', { now }, `The clock was set to ${now}.`)
            }}
          >
            <label>
              To
              <input name="now" required placeholder="2027-01-01T00:00:00Z" autocomplete="off" />
            </label>
            <button>Set</button>
            <span class="faint">It only goes forward; a reset puts it back.</span>
          </form>
        </>
      ) : null}
    </>
  )
}

function Shown({ reading }: { reading: ClockReading }) {
  // A trace shows where it stood.
  const runs = useSession().source.isLive && !reading.frozen
  const began = useMemo(() => performance.now(), [reading.now])
  const [, setRound] = useState(0)
  useEffect(() => {
    if (!runs) return undefined
    const timer = setInterval(() => setRound((before) => before + 1), 1_000)
    return () => clearInterval(timer)
  }, [runs])
  return (
    <p>
      <time class="clock">{runs ? shownBy(reading, performance.now() - began) : reading.now}</time>{' '}
      <span class="badge">{reading.frozen ? 'frozen' : 'running'}</span>
    </p>
  )
}
