// Reads a captured delivery of a webhook event: a request as raw HTTP, or the POSTs of an HTTP Archive (HAR).
import { z } from 'zod'
import { DocumentError, refusal } from '../input/problems.ts'
import { sourceFromText } from '../input/source-file.ts'

/** A request that may be the delivery. */
export interface CapturedRequest {
  /** Headers by their names in lower case; those of one name are joined, as HTTP does. */
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
}

/**
 * Reads the requests of a file that may be the delivery, the likeliest first; at least one.
 *
 * @param name the name of the file in messages.
 * @throws {DocumentError} for a text that is neither raw HTTP nor HAR, or has no body that can be verified.
 */
export async function readCaptured(text: string, name: string): Promise<CapturedRequest[]> {
  const content = text.replace(/^\ufeff/, '')
  return content.trimStart().startsWith('{') ? readHar(content, name) : readRawHttp(content, name)
}

function readRawHttp(text: string, name: string): CapturedRequest[] {
  const refuse = (line: number, message: string): DocumentError =>
    new DocumentError([{ source: name, line, path: '', message }])
  const [head = '', ...rest] = text.split(/(\r?\n\r?\n)/)
  const [requestLine = '', ...lines] = head.split(/\r?\n/)
  if (!/^[A-Z]+ \S+(?: HTTP\/[\d.]+)?$/.test(requestLine))
    throw refuse(1, 'must begin with a request line, such as POST /webhooks HTTP/1.1, or be HAR')
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
  return [...new Set([body, body.replace(/\r?\n$/, ''), body.trim()])].map((one) => ({ headers, body: one }))
}

const request = z.object({
  method: z.string(),
  headers: z.array(z.object({ name: z.string(), value: z.string() })),
  postData: z.object({ text: z.string().default(''), encoding: z.string().optional() }).optional(),
})
const archive = z.object({ log: z.object({ entries: z.array(z.object({ request })) }) })

async function readHar(text: string, name: string): Promise<CapturedRequest[]> {
  const { data } = archive.safeParse((await sourceFromText(text, name, '.json')).value)
  const requests = data?.log.entries.flatMap(({ request: { method, headers, postData } }) => {
    const { text: sent = '', encoding } = postData ?? {}
    const body = encoding === 'base64' ? Buffer.from(sent, 'base64').toString() : sent
    return method.toUpperCase() === 'POST' && body !== '' ? [{ headers: headersOf(headers), body }] : []
  })
  if (!requests?.length)
    throw refusal(name, 'must be an HTTP Archive (HAR) with a POST in log.entries that has a body')
  return requests
}

function headersOf(pairs: readonly { readonly name: string; readonly value: string }[]): Map<string, string> {
  const all = new Map<string, string[]>()
  for (const { name, value } of pairs)
    all.set(name.toLowerCase(), [...(all.get(name.toLowerCase()) ?? []), value])
  return new Map([...all].map(([name, values]) => [name, values.join(', ')]))
}
