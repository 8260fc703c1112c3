// The test of a call: named by its header x-sandbox-test, or by the workspace that was created for a test.
import type { IncomingRequest } from './incoming-request.ts'

/** The test that made a call. */
export interface TestName {
  /** Its whole name, such as `checkout > retries`. */
  name: string
  /** The path of its file, if known. */
  file: string | null
}

/** Names the test of a call; only the journal reads it. */
export const testHeader = 'x-sandbox-test'

/** Maximum length of the name and the path as sent (bytes). */
const maxLength = 400

/** A percent-encoded name, optionally with a path: visible ASCII without the semicolon. */
const form = /^([!-:<-~]+)(?:[ \t]*;[ \t]*file=([!-:<-~]+))?$/

/**
 * Parses the header: a percent-encoded UTF-8 name, optionally followed by `; file=` and a percent-encoded path.
 * @returns null for a malformed or too long header, which is ignored.
 * @example readTestHeader('pays%20twice; file=test/pay.test.ts')   // { name: 'pays twice', file: 'test/pay.test.ts' }
 */
export function readTestHeader(header: string): TestName | null {
  const [, name = '', file] = form.exec(header.trim()) ?? []
  if (name === '' || name.length > maxLength || (file?.length ?? 0) > maxLength) return null
  try {
    return {
      name: decodeURIComponent(name),
      file: file === undefined ? null : decodeURIComponent(file),
    }
  } catch {
    return null
  }
}

/** Returns the test of a call, or null. @param ofWorkspace the test that its workspace was created for. */
export function testOf({ headers }: IncomingRequest, ofWorkspace: TestName | undefined): TestName | null {
  const header = headers.known[testHeader]
  return header === undefined ? (ofWorkspace ?? null) : readTestHeader(header)
}
