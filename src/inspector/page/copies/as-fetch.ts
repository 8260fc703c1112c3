// Writes a call as a program for Node that sends it by `fetch`, with the key from the environment.
import type { ExplainedEntry } from '../../../operations/requests.ts'
import { fetchOptions, isWithoutBody } from './fetch-options.ts'
import { quotedText } from './javascript.ts'
import { sentAgain } from './sent-again.ts'

/** The value of the header `authorization`, by how the key was sent. */
const authorizations = {
  bearer: '`Bearer ${process.env.SANDBOX_API_KEY}`',
  basic: '`Basic ${btoa(`${process.env.SANDBOX_API_KEY}:`)}`',
} as const

/** A module, as it awaits outside of functions. @param address of the sandbox, without a slash at its end. */
export function asFetch(entry: ExplainedEntry, address: string): string {
  const call = sentAgain(entry)
  const { credential } = call
  const options = fetchOptions(call, credential && authorizations[credential], 0)
  const args = [quotedText(address + call.target), ...(options === undefined ? [] : [options])]
  const lines = [
    `const response = await fetch(${args.join(', ')})`,
    'console.log(response.status, await response.text())',
  ]
  if (call.body && isWithoutBody(call.method))
    lines.unshift('// The body is omitted: fetch sends none with this method.')
  return `${lines.join('\n')}\n`
}
