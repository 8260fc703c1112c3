import { expect, it } from 'vitest'
import { earlierCalls } from '../../../src/inspector/page/earlier-calls.ts'
import type { StreamedEntry } from '../../../src/inspector/page/source.ts'
import { createSandbox } from '../../../src/index.ts'

it('0, 1, 499, 500, 501, 1,001 calls -> all of them, newest first, and none twice', async () => {
  await using sandbox = await createSandbox({ journalSize: 2_000 })
  let done = 0
  for (const count of [0, 1, 499, 500, 501, 1_001]) {
    for (; done < count; done++) await sandbox.workspace('default').fetch('/v2/nothing')
    const parts: StreamedEntry[][] = []
    const ask = async <T>(
      _method: string,
      path: string,
      { query = {} }: { query?: object } = {},
    ): Promise<T> => {
      const parameters = Object.entries(query).filter(([, value]) => value !== undefined)
      const answer = await sandbox.fetch(
        `/_sandbox${path}?${new URLSearchParams(parameters as [string, string][])}`,
      )
      return (await answer.json()) as T
    }
    await earlierCalls({ ask }, { workspace: 'default', query: { outcome: 'unmatched' } }, (calls) =>
      parts.push(calls),
    )
    const expected = Array.from({ length: count }, (_, place) => `req_default_${count - place}`)
    expect(parts.flat().map(({ id }) => id)).toEqual(expected)
    expect(parts.every((part) => part.length <= 500)).toBe(true)
    expect(parts.flat().every((call) => !('request' in call) && !('response' in call))).toBe(true)
  }
})
