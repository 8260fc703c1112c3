// A running sandbox: the answers of its control plane, and its stream.
import { parseExact } from '../../json/parse-exact.ts'
import { refusalOf, request } from './ask.ts'
import { followCalls } from './follow.ts'
import type { ControlRequest, Source } from './source.ts'
import { token } from './token.ts'

export const liveSource: Source = {
  isLive: true,
  about: '',
  home: 'default',
  async ask<T>(method: string, path: string, requested?: ControlRequest): Promise<T> {
    const response = await request(method, path, requested)
    if (!response.ok) {
      const refusal = await refusalOf(response)
      if (refusal.status === 401) token.refused()
      throw refusal
    }
    const text = await response.text()
    // Numbers that a browser would round stay as they were written.
    return (text === '' ? undefined : parseExact(text, true)) as T
  },
  follow: followCalls,
}
