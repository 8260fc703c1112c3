// The clock of a workspace: its time, freeze, advance.
import { useMemo, useState } from 'hono/jsx/dom'
import type { ClockReading } from '../../../runtime/clock.ts'
import { distanceOf, instantOf, shownBy } from '../clock-reading.ts'
import { Heading } from '../heading.tsx'
import { useRefresh } from '../refresh.ts'
import { ResetButton } from '../reset-button.tsx'
import { messageOf, useAnswer, useCanChange, useSession } from '../session.ts'
import { textsOf } from '../form-texts.ts'
import { useEffect } from '../use-effect.ts'

const units = ['days', 'hours', 'minutes', 'seconds'] as const

/** The changes of a clock. */
type Change = 'freeze' | 'advance' | 'set'

export function ClockView() {
  const { source, route, say } = useSession()
  const canChange = useCanChange()
  const { value, problem, again } = useAnswer<ClockReading>('/clock')
  /** The last change that was refused, and the reason. */
  const [refusal, setRefusal] = useState<{ of: Change; why: string } | undefined>(undefined)
  useRefresh(again, 5_000)
  const refuse = (of: Change, why: string): void => {
    setRefusal({ of, why })
    say(why)
  }
  /** @param done returns the message of success from the new time. @returns whether it succeeded. */
  const change = async (of: Change, body: object, done: (now: string) => string): Promise<boolean> => {
    const [method, path] = of === 'advance' ? ['POST', '/clock/advance'] : ['PUT', '/clock']
    try {
      const { now } = await source.ask<ClockReading>(method, path, { workspace: route.workspace, body })
      setRefusal(undefined)
      say(done(now))
      return true
    } catch (error) {
      refuse(of, messageOf(error))
      return false
    } finally {
      again()
    }
  }
  const advance = async (form: EventTarget | null): Promise<void> => {
    const distance = distanceOf(textsOf(form))
    if (Object.keys(distance).length === 0)
      return refuse('advance', 'Enter at least one of days, hours, minutes and seconds.')
    if (await change('advance', distance, (now) => `The clock was advanced to ${now}.`)) emptied(form)
  }
  const set = async (form: EventTarget | null): Promise<void> => {
    const now = instantOf(textsOf(form)['now'] ?? '')
    if (Number.isNaN(Date.parse(now)))
      return refuse('set', `“${now}” is not a time: write it as 2027-06-01T12:00:00Z, or as 2027-06-01.`)
    if (await change('set', { now }, () => `The clock was set to ${now}.`)) emptied(form)
  }
  const why = (of: Change) => (refusal?.of === of ? <p class="problem">{refusal.why}</p> : null)
  return (
    <>
      <Heading>Clock</Heading>
      {problem === undefined ? null : <p class="problem">{problem}</p>}
      {value ? <Shown reading={value} /> : null}
      {canChange && value ? (
        <>
          <div class="bar">
            <button
              type="button"
              onClick={() => {
                const frozen = !value.frozen
                void change('freeze', { frozen }, () => (frozen ? 'The clock is frozen.' : 'The clock runs.'))
              }}
            >
              {value.frozen ? 'Unfreeze' : 'Freeze'}
            </button>
            <ResetButton onReset={again} />
            {why('freeze')}
          </div>
          <h2>Advance</h2>
          <form
            class="bar"
            onSubmit={(event: Event) => {
              event.preventDefault()
              void advance(event.target)
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
          {why('advance')}
          <h2>Set</h2>
          <form
            class="bar"
            onSubmit={(event: Event) => {
              event.preventDefault()
              void set(event.target)
            }}
          >
            <label>
              To
              <input name="now" required placeholder="2027-01-01T00:00:00Z" autocomplete="off" />
            </label>
            <button>Set</button>
            <span class="faint">
              A date alone means midnight in UTC. The clock only moves forward; a reset or a restored snapshot
              moves it back.
            </span>
          </form>
          {why('set')}
        </>
      ) : null}
    </>
  )
}

function emptied(form: EventTarget | null): void {
  if (form instanceof HTMLFormElement) form.reset()
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
