// Decides which times of a request are that of the event, and which that of the attempt.
import { pathName } from '../../input/problems.ts'
import { isSameInstant, timePlaceholder, timesIn, type SeenTime } from './times.ts'
import type { SignedPart } from './signed-candidates.ts'
import type { UndecidedList } from './undecided.ts'

/** A time in the body, outside of the resource. */
export interface BodyTime {
  readonly path: readonly (string | number)[]
  readonly time: SeenTime
  /** Whether its name shows that it is the time of the event. */
  readonly isSure: boolean
}

/** The times of a request. */
export interface DecidedTimes {
  /** Returns the placeholder of a time in a header or in the signed text. */
  placeholderOf(time: SeenTime): string
  readonly event: SeenTime | undefined
  readonly attempt: SeenTime | undefined
}

const secondsOf = ({ ms }: SeenTime): string => String(Math.floor(ms / 1000))

/**
 * Decides the meaning of each time.
 *
 * @param headers those that can have a time, without signatures.
 */
export function decideTimes(
  headers: ReadonlyMap<string, string>,
  signed: readonly SignedPart[],
  bodyTimes: readonly BodyTime[],
  undecided: UndecidedList,
): DecidedTimes {
  const sent = [...headers].flatMap(([name, value]) => timesIn(value).map(({ time }) => ({ name, time })))
  const signedText = signed.flatMap((part) =>
    typeof part === 'object' && part.kind === 'time' ? part.text : [],
  )[0]
  const inBody = bodyTimes.find(({ isSure }) => isSure) ?? bodyTimes[0]
  const event = inBody?.time
  const isEventSure =
    inBody?.isSure === true && bodyTimes.every(({ time }) => isSameInstant(time, inBody.time))
  const other = sent.filter(({ time }) => event === undefined || !isSameInstant(time, event))
  const ofSignature = other.find(({ time }) => [time.text, secondsOf(time)].includes(signedText ?? ''))
  const attempt = (ofSignature ?? other[0])?.time
  for (const { name, time } of sent) {
    const at = `headers.${name}`
    const isEvent = event !== undefined && isSameInstant(time, event)
    const isAttempt = attempt !== undefined && isSameInstant(time, attempt)
    const isSigned = signedText !== undefined && [time.text, secondsOf(time)].includes(signedText)
    const count = undecided.all.length
    const ofEvent = inBody && pathName(['body', ...inBody.path])
    if (isEvent && attempt === undefined)
      undecided.add(at, `equals ${ofEvent}: it may be the time of the event, and is that of the attempt here`)
    else if (isEvent ? !isEventSure : !isAttempt)
      undecided.add(at, 'the request has several times: this one is taken as that of the event')
    else if (isAttempt && !(isSigned && isEventSure))
      undecided.add(at, 'taken as the time of the attempt; it may be that of the event, or be constant')
    if (isSigned && undecided.all.length > count)
      undecided.add('signing.signed', `covers the time of headers.${name}, which is undecided`)
  }
  const second = other.find(({ time }) => attempt !== undefined && !isSameInstant(time, attempt))?.time
  const eventTime = event ?? second
  return {
    event: mostExact(eventTime, sent),
    attempt: mostExact(attempt ?? sent[0]?.time, sent),
    placeholderOf(time) {
      const isSent = sent.some((one) => isSameInstant(one.time, time))
      const isAttempt = isSent && (attempt === undefined || isSameInstant(time, attempt))
      return timePlaceholder(isAttempt ? 'attempt.time' : 'event.time', time)
    },
  }
}

/** Returns the time with its milliseconds, if a header has them. */
function mostExact(time: SeenTime | undefined, sent: readonly { time: SeenTime }[]): SeenTime | undefined {
  if (time?.format !== 'unix') return time
  return sent.find((one) => one.time.format !== 'unix' && isSameInstant(one.time, time))?.time ?? time
}
