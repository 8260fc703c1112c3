import { describe, expect, it } from 'vitest'
import { generatedFiles, isStale, staleMessage } from '../scripts/generate/files.ts'

// `npm run check:generated`, which CI runs, also compares the files whose generators start programs. The timeout is for
// the rows that load most modules, on a busy machine.
describe('generated files are those that `npm run generate` writes', { timeout: 60_000 }, () => {
  it.each(generatedFiles.filter(({ startsProgram }) => !startsProgram))('$path', async (file) => {
    expect(isStale(file, await file.generate()), staleMessage(file)).toBe(false)
  })
})
