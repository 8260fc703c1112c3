// Times in headers and bodies: which texts are times, and which of them a description can write.

/** A text that is a time. */
export interface SeenTime {
  readonly text: string
  /** The instant in ms, as exactly as the text has it. */
  readonly ms: number
  /** The format of a placeholder: `unix` for seconds, none for RFC 3339; null if no placeholder writes it. */
  readonly format: 'unix' | undefined | null
  /** The form in words, for one that no placeholder writes exactly. */
  readonly form: string
}

const first = Date.parse('2001-09-10T00:00:00Z')
const last = Date.parse('2100-01-01T00:00:00Z')

const rfc3339 = /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:[Zz]|[+-]\d{2}:\d{2})$/

/** Returns the time that a text is; undefined if it is none. */
export function timeOf(text: string): SeenTime | undefined {
  const found = readTime(text)
  return found && found.ms >= first && found.ms <= last ? found : undefined
}

function readTime(text: string): SeenTime | undefined {
  if (/^\d{10}$/.test(text))
    return { text, ms: Number(text) * 1000, format: 'unix', form: 'seconds since 1970' }
  if (/^\d{13}$/.test(text)) return { text, ms: Number(text), format: null, form: 'milliseconds since 1970' }
  if (/^\d{10}\.\d{1,9}$/.test(text))
    return { text, ms: Number(text) * 1000, format: null, form: 'seconds since 1970 with a fraction' }
  const ms = Date.parse(text)
  if (Number.isNaN(ms)) return undefined
  if (rfc3339.test(text)) {
    const isOurs = new Date(ms).toISOString() === text
    return {
      text,
      ms,
      format: isOurs ? undefined : null,
      form: isOurs ? 'RFC 3339' : 'another form of RFC 3339',
    }
  }
  if (/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} [\d:]{8} GMT$/.test(text))
    return { text, ms, format: null, form: 'a date of HTTP' }
  return undefined
}

/** Times within a text, such as `t=1795262400,v1=…`. */
export function timesIn(text: string): { time: SeenTime; index: number }[] {
  const whole = timeOf(text)
  if (whole) return [{ time: whole, index: 0 }]
  const tokens =
    /(?<!\w)(?:\d{4}-\d{2}-\d{2}[Tt][\d:]{8}(?:\.\d+)?(?:[Zz]|[+-]\d{2}:\d{2})|\d{13}|\d{10}(?:\.\d{1,9})?)(?!\w)/g
  return [...text.matchAll(tokens)].flatMap(({ 0: token, index }) => {
    const time = timeOf(token)
    return time ? [{ time, index }] : []
  })
}

/** Whether two times are one instant, to the second if one of them has no more. */
export function isSameInstant(a: SeenTime, b: SeenTime): boolean {
  const inSeconds = a.format === 'unix' || b.format === 'unix'
  return inSeconds ? Math.floor(a.ms / 1000) === Math.floor(b.ms / 1000) : a.ms === b.ms
}

/** Returns a placeholder with the format of a time, such as `{attempt.time:unix}`. */
export const timePlaceholder = (name: 'event.time' | 'attempt.time', { format }: SeenTime): string =>
  format === 'unix' ? `{${name}:unix}` : `{${name}}`
