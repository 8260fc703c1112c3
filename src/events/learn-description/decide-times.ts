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
 * @param headers those that can have a time, without signatures; first those with a signature, as their time is signed.
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
  const isSigned = (time: SeenTime): boolean => [time.text, secondsOf(time)].includes(signedText ?? '')
  const inBody = bodyTimes.find(({ isSure }) => isSure) ?? bodyTimes[0]
  const isEventSure =
    inBody?.isSure === true && bodyTimes.every(({ time }) => isSameInstant(time, inBody.time))
  const ofBody = (time: SeenTime): boolean => inBody !== undefined && isSameInstant(time, inBody.time)

  // Of two header times in the second of the body's time, one is that of the attempt.
  const isMixed = sent.some(({ time }) => sent.some((one) => !isSameInstant(time, one.time)))
  const unlike = sent.map(({ time }) => time).filter((time) => !ofBody(time))
  const attempts = unlike.length > 0 || !isMixed ? unlike : sent.map(({ time }) => time)
  const attempt = attempts.find(isSigned) ?? attempts[0]
  const others = sent.map(({ time }) => time).filter((time) => attempt && !isSameInstant(time, attempt))

  for (const { name, time } of sent) {
    const why = doubtOf(time)
    if (why === undefined) continue
    undecided.add(`headers.${name}`, why)
    if (isSigned(time))
      undecided.add('signing.signed', `covers the time of headers.${name}, which is undecided`)
  }
  const exact = [...others, ...sent.map(({ time }) => time)]
  return {
    event: withMilliseconds(isEventSure ? inBody.time : (others[0] ?? inBody?.time), exact),
    attempt: withMilliseconds(attempt ?? sent[0]?.time, exact),
    placeholderOf(time) {
      const isSent = sent.some((one) => isSameInstant(one.time, time))
      const isAttempt = isSent && (attempt === undefined || isSameInstant(time, attempt))
      return timePlaceholder(isAttempt ? 'attempt.time' : 'event.time', time)
    },
  }

  /** Returns why the meaning of a header time is undecided. */
  function doubtOf(time: SeenTime): string | undefined {
    if (inBody && ofBody(time) && attempt === undefined)
      return `equals ${pathName(['body', ...inBody.path])}: it may be the time of the event, and is that of the attempt here`
    const isAttempt = attempt !== undefined && isSameInstant(time, attempt)
    if (isAttempt && (!isSigned(time) || !isEventSure || ofBody(time)))
      return 'taken as the time of the attempt; it may be that of the event, or be constant'
    if (!isAttempt && (!ofBody(time) || !isEventSure || unlike.length === 0))
      return 'the request has several times: this one is taken as that of the event'
    return undefined
  }
}

/** Returns the time with its milliseconds, if another text has them. */
function withMilliseconds(time: SeenTime | undefined, others: readonly SeenTime[]): SeenTime | undefined {
  if (time?.format !== 'unix') return time
  return others.find((other) => other.format !== 'unix' && isSameInstant(other, time)) ?? time
}
