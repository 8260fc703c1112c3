// Reads server-sent events from the chunks of a response (HTML standard: event stream).

/** One event. */
export interface ServerEvent {
  event: string
  data: string
}

/** Takes chunks of text as they come. @example new EventReader().read('event: reset\ndata: {}\n\n') */
export class EventReader {
  #rest = ''
  /** The id of the last event, to continue from. */
  lastId: string | undefined

  /** The events that a chunk completes. */
  read(chunk: string): ServerEvent[] {
    const blocks = (this.#rest + chunk).split('\n\n')
    this.#rest = blocks.pop() ?? ''
    return blocks.flatMap((block) => this.#eventOf(block))
  }

  #eventOf(block: string): ServerEvent[] {
    let event = 'message'
    const data: string[] = []
    for (const line of block.split('\n')) {
      const [, field, value = ''] = /^([a-z]+): ?(.*)$/.exec(line) ?? []
      if (field === 'event') event = value
      else if (field === 'data') data.push(value)
      else if (field === 'id') this.lastId = value
    }
    return data.length === 0 ? [] : [{ event, data: data.join('\n') }]
  }
}
