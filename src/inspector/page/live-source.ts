// A sandbox that runs: what its control plane answers, and its stream.
import { parseExact } from '../../reading/parse-exact.ts'
import { request } from './ask.ts'
import { followCalls } from './follow.ts'
import { Refused, type Asked, type RefusedDetail, type Source } from './source.ts'
import { token } from './token.ts'

/** @throws {Refused} for an answer of 400 and above. */
async function refuse(response: Response): Promise<never> {
  const text = await response.text()
  let error: { message?: string; details?: RefusedDetail[] } = {}
  try {
    error = (parseExact(text) as { error?: typeof error }).error ?? {}
  } catch {
    // Something else than a sandbox answered.
  }
  if (response.status === 401) token.refused()
  throw new Refused(response.status, error.message ?? `It answered ${response.status}.`, error.details)
}

export const liveSource: Source = {
  isLive: true,
  about: '',
  home: 'default',
  async ask<T>(method: string, path: string, asked?: Asked): Promise<T> {
    const response = await request(method, path, asked)
    if (!response.ok) return refuse(response)
    const text = await response.text()
    // Numbers that a browser would round stay as they were written.
    return (text === '' ? undefined : parseExact(text, true)) as T
  },
  follow: followCalls,
}
