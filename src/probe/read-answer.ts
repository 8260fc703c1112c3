// Reads a complete answer, or returns why it is not the service's: a redirect, HTML, more than 5 MB.

/** A complete answer of the service. */
export interface Answer {
  readonly status: number
  /** By name, in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  /** The body as JSON; undefined if it is not JSON. */
  readonly json: unknown
}

/** Why there is no usable answer. */
export interface NotCalled {
  readonly notCalled: string
}

const maxBytes = 5_000_000

const html = 'the answer is HTML, not JSON: check url'

export async function readAnswer(response: Response): Promise<Answer | NotCalled> {
  const { status } = response
  const headers = Object.fromEntries(response.headers)
  const refused = (notCalled: string): NotCalled => {
    response.body?.cancel().catch(() => {})
    return { notCalled }
  }
  if (response.type === 'opaqueredirect' || (status >= 300 && status < 400)) {
    return refused('it answered with a redirect, which is not followed')
  }
  if (/^text\/html\b/i.test(headers['content-type'] ?? '')) return refused(html)
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    if (size > maxBytes) return { notCalled: 'it answered more than 5 MB' }
    chunks.push(chunk)
  }
  const text = Buffer.concat(chunks).toString()
  if (/^\s*<(!doctype html|html)\b/i.test(text)) return { notCalled: html }
  return { status, headers, text, json: jsonOf(text) }
}

/** Returns the value of a text; undefined for invalid JSON, and for no text. */
export function jsonOf(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}
