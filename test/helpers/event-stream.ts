import type { Sandbox } from '../../src/index.ts'

/** One event of a stream, or a comment. */
export interface StreamEvent {
  id?: number
  event: string
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into data of every shape
  data: any
}

/** Reads server-sent events one by one; each chunk of our streams is whole events. */
export class EventReader {
  readonly response: Response
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>
  readonly #read: StreamEvent[] = []

  constructor(response: Response) {
    if (!response.body) throw new Error('a stream has a body')
    this.response = response
    this.#reader = response.body.getReader()
  }

  /** The next event or comment; undefined at the end. */
  async next(): Promise<StreamEvent | undefined> {
    while (this.#read.length === 0) {
      const { done, value } = await this.#reader.read()
      if (done) return undefined
      this.#read.push(...eventsIn(new TextDecoder().decode(value)))
    }
    return this.#read.shift()
  }

  async cancel(): Promise<void> {
    await this.#reader.cancel()
  }
}

/** The events of a text that ends with one. */
export function eventsIn(text: string): StreamEvent[] {
  return text
    .split('\n\n')
    .slice(0, -1)
    .map((block) => {
      if (block.startsWith(':')) return { event: 'comment', data: block }
      const [, id, event = '', data = ''] = /^id: (\d+)\nevent: (\w+)\ndata: (.*)$/.exec(block) ?? []
      if (id === undefined) throw new Error(`no event of ours: ${block}`)
      return { id: Number(id), event, data: JSON.parse(data) as unknown }
    })
}

/** A stream that has begun: its first comment is read. */
export async function openStream(
  sandbox: Pick<Sandbox, 'fetch'>,
  { lastId, workspace = 'default' }: { lastId?: number | string; workspace?: string } = {},
): Promise<EventReader> {
  const headers: Record<string, string> = lastId === undefined ? {} : { 'last-event-id': String(lastId) }
  const reader = new EventReader(await sandbox.fetch(`/_sandbox/stream?workspace=${workspace}`, { headers }))
  const first = await reader.next()
  if (first?.event !== 'comment') throw new Error(`it begins with ${first?.event}`)
  return reader
}
