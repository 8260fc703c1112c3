import { describe, expect, it } from 'vitest'
import { writeFiles } from '../helpers/documents.ts'
import { bin, launch, started } from '../helpers/processes.ts'

/** Texts below 64 KiB on which a recursive parser reaches the end of the stack. */
const deepTexts = {
  dashes: '- '.repeat(2000),
  'question marks': '? '.repeat(2000),
  brackets: '['.repeat(2000),
  indentation: Array.from({ length: 300 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n'),
}

describe('a document of thousands of levels', () => {
  it.each(Object.entries(deepTexts))(
    '%s: posted twice -> 400 twice, and the process serves',
    async (_, text) => {
      const server = await started()
      const post = async () => {
        const answer = await fetch(`${server.url}/_sandbox/scenarios`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ text }),
        })
        return { status: answer.status, body: (await answer.json()) as { error: { message: string } } }
      }
      for (let round = 0; round < 2; round++) {
        const { status, body } = await post()
        expect(status).toBe(400)
        expect(body.error.message).toContain('is nested deeper than 100 levels')
      }
      expect((await fetch(`${server.url}/_sandbox/health`)).status).toBe(200)
    },
  )

  it.each(Object.entries(deepTexts))('%s: validated twice in one process -> exit 3', async (_, text) => {
    const file = writeFiles({ 'bad.yaml': text })
    const { ended, err, out } = launch([bin, 'validate', file, file])
    expect(await ended).toBe(3)
    expect(out() + err()).toContain('bad.yaml:')
    expect(out() + err()).toContain('is nested deeper than 100 levels')
  })
})
