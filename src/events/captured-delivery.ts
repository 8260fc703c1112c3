// Reads a captured delivery of a webhook event: a request as raw HTTP, or the POSTs of an HTTP Archive (HAR).
import { z } from 'zod'
import { DocumentError, pathName, refusal } from '../input/problems.ts'
import { problemAt, sourceFromText } from '../input/source-file.ts'

/** A delivery of the file. */
export interface CapturedDelivery {
  /** Its position in an archive, such as `log.entries[1]`; undefined for raw HTTP. */
  readonly entry?: string
  /** The requests that it may have been, the likeliest first; at least one. */
  readonly candidates: readonly CapturedRequest[]
}

/** A request that may be a delivery. */
export interface CapturedRequest {
  /** Headers by their names in lower case; those of one name are joined, as HTTP does. */
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
}

/**
 * Reads the deliveries of a file; at least one.
 *
 * @param name the name of the file in messages.
 * @throws {DocumentError} for a text that is neither raw HTTP nor HAR, or has no body that can be verified.
 */
export async function readCaptured(text: string, name: string): Promise<CapturedDelivery[]> {
  const content = text.replace(/^\ufeff/, '')
  return content.trimStart().startsWith('{') ? readHar(content, name) : [readRawHttp(content, name)]
}

function readRawHttp(text: string, name: string): CapturedDelivery {
  const refuse = (line: number, message: string): DocumentError =>
    new DocumentError([{ source: name, line, path: '', message }])
  const [head = '', ...rest] = text.split(/(\r?\n\r?\n)/)
  const [requestLine = '', ...lines] = head.split(/\r?\n/)
  if (!/^[A-Z]+ \S+(?: HTTP\/[\d.]+)?$/.test(requestLine))
    throw refuse(1, 'must begin with a request line, such as POST /webhooks HTTP/1.1, or be HAR')
  const [method = ''] = requestLine.split(' ')
  if (method !== 'POST') throw refuse(1, `must be a POST, as every delivery is, not ${method}`)
  const headers = headersOf(
    lines.map((line, index) => {
      const [, header = '', value = ''] = /^([\w!#$%&'*+.^`|~-]+):[ \t]*(.*?)[ \t]*$/.exec(line) ?? []
      const expected = 'must be a header, such as webhook-id: evt_1, or an empty line before the body'
      if (header === '') throw refuse(index + 2, expected)
      return { name: header, value }
    }),
  )
  const body = rest.slice(1).join('')
  if (body.trim() === '') throw refuse(lines.length + 1, 'has no body; expected it behind an empty line')
  // An editor may have added a line break to the file.
  const bodies = [...new Set([body, body.replace(/\r?\n$/, ''), body.trim()])]
  return { candidates: bodies.map((one) => ({ headers, body: one })) }
}

const request = z.object({
  method: z.string(),
  headers: z.array(z.object({ name: z.string(), value: z.string() })),
  postData: z.object({ text: z.string().default(''), encoding: z.string().optional() }).optional(),
})
const archive = z.object({ log: z.object({ entries: z.array(z.object({ request })) }) })

async function readHar(text: string, name: string): Promise<CapturedDelivery[]> {
  const source = await sourceFromText(text, name, '.json')
  const { data } = archive.safeParse(source.value)
  const deliveries = data?.log.entries.flatMap(({ request: { method, headers, postData } }, index) => {
    if (method.toUpperCase() !== 'POST') return []
    const { text: sent = '', encoding } = postData ?? {}
    const body = encoding === 'base64' ? Buffer.from(sent, 'base64').toString() : sent
    const path = ['log', 'entries', index]
    if (body === '')
      throw new DocumentError([
        problemAt(source, [...path, 'request'], 'has no body; expected postData.text'),
      ])
    return [{ entry: pathName(path), candidates: [{ headers: headersOf(headers), body }] }]
  })
  if (!deliveries?.length) throw refusal(name, 'must be an HTTP Archive (HAR) with a POST in log.entries')
  return deliveries
}

function headersOf(pairs: readonly { readonly name: string; readonly value: string }[]): Map<string, string> {
  const all = new Map<string, string[]>()
  for (const { name, value } of pairs)
    all.set(name.toLowerCase(), [...(all.get(name.toLowerCase()) ?? []), value])
  return new Map([...all].map(([name, values]) => [name, values.join(', ')]))
}
