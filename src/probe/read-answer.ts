// Reads an answer to its end, or says why it is none of the service: a redirect, HTML, more than 5 MB.

/** An answer of the service, read to its end. */
export interface Answer {
  readonly status: number
  /** By name, in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  /** The body as JSON; undefined when it is none. */
  readonly json: unknown
}

/** Why there is no answer to judge. */
export interface NotCalled {
  readonly notCalled: string
}

const maxBytes = 5_000_000

const html = 'it answered HTML, which no service does'

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

/** The value of a text; undefined for one that is no JSON, and for none. */
export function jsonOf(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}
