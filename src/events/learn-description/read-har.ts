// Reads captured requests from an HTTP Archive (HAR): every POST that may be a delivery.
import { z } from 'zod'
import { describeSchemaIssues, readBySchema } from '../../input/schema-issues.ts'
import { ProblemList } from '../../input/problem-list.ts'
import { refusal } from '../../input/problems.ts'
import { sourceFromText } from '../../input/source-file.ts'
import { headersOf, problemOfBody, type CapturedRequest, type CapturedRequests } from './captured-request.ts'
import { looksSigned } from './digests.ts'

const har = z.object({
  log: z.object({
    entries: z.array(
      z.object({
        request: z.object({
          method: z.string(),
          url: z.string(),
          headers: z.array(z.object({ name: z.string(), value: z.string() })),
          postData: z.object({ text: z.string().optional(), encoding: z.string().optional() }).optional(),
        }),
      }),
    ),
  }),
})

/**
 * Reads an HTTP Archive.
 *
 * @param name the name of the file in messages.
 * @returns the POSTs with a header that looks like a signature; every POST if none has one.
 * @throws {DocumentError} for a file that is no archive, or has no POST with a body.
 */
export async function readHar(text: string, name: string): Promise<CapturedRequests> {
  const source = await sourceFromText(text, name, '.json')
  const { data, issues } = readBySchema(har, source.value)
  if (issues !== undefined) {
    const problems = new ProblemList()
    for (const { path, message, at } of describeSchemaIssues(issues, har))
      problems.add({ source, path, message, at })
    throw problems.error()
  }
  const { entries } = data.log
  const problems: string[] = []
  const posts = entries.flatMap(({ request }, index): CapturedRequest[] => {
    if (request.method.toUpperCase() !== 'POST') return []
    const headers = headersOf(request.headers.map((header) => [header.name, header.value]))
    const { text: sent = '', encoding } = request.postData ?? {}
    const body = encoding === 'base64' ? Buffer.from(sent, 'base64').toString() : sent
    const position = `entry ${index + 1} of ${entries.length}`
    const problem = problemOfBody(headers, body)
    if (problem === undefined) return [{ position, target: request.url, headers, bodies: [body] }]
    problems.push(`${position} ${problem}`)
    return []
  })
  const signed = posts.filter(({ headers }) => looksSigned(headers))
  const [first, ...others] = signed.length > 0 ? signed : posts
  if (!first)
    throw refusal(name, problems[0] ?? 'has no POST; expected an archive with a delivery', 'log.entries')
  return [first, ...others]
}
