// Writes and reads server-sent events (HTML standard: event stream).

/** One event. */
export interface ServerEvent {
  event: string
  data: string
}

/** The line ends of the standard: it has no others, and data may contain U+2028 and U+2029. */
const lineEnd = /\r\n|\r|\n/

/** Returns an event as text. @example eventText({ id: 12, event: 'reset', data: '{}' }) */
export function eventText({ id, event, data }: ServerEvent & { id?: number }): string {
  const lines = data.split(lineEnd).map((line) => `data: ${line}\n`)
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\n${lines.join('')}\n`
}

/** Takes chunks of text as they come. @example new EventReader().read('event: reset\ndata: {}\n\n') */
export class EventReader {
  #rest = ''
  #endsInReturn = false
  /** The fields of the event that is not complete yet. */
  #event = 'message'
  #data: string[] = []
  #id: string | undefined
  /** The id of the last event, to continue from. */
  lastId: string | undefined

  /** The events that a chunk completes. */
  read(chunk: string): ServerEvent[] {
    if (chunk === '') return []
    // The line feed belongs to the carriage return that ended the last chunk.
    const text = this.#endsInReturn && chunk.startsWith('\n') ? chunk.slice(1) : chunk
    this.#endsInReturn = chunk.endsWith('\r')
    const lines = (this.#rest + text).split(lineEnd)
    this.#rest = lines.pop() ?? ''
    return lines.flatMap((line) => (line === '' ? this.#complete() : this.#addField(line)))
  }

  #addField(line: string): [] {
    const colon = line.indexOf(':')
    const field = colon === -1 ? line : line.slice(0, colon)
    const value = colon === -1 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1)
    if (field === 'event') this.#event = value
    else if (field === 'data') this.#data.push(value)
    else if (field === 'id') this.#id = value
    return []
  }

  /** Ends the event. Its id counts only now: a reader that resumes after half an event must get all of it. */
  #complete(): ServerEvent[] {
    const [event, data] = [this.#event, this.#data]
    this.lastId = this.#id ?? this.lastId
    this.#event = 'message'
    this.#data = []
    this.#id = undefined
    return data.length === 0 ? [] : [{ event, data: data.join('\n') }]
  }
}
