import { describe, expect, it } from 'vitest'
import { generatedFiles, isStale, staleMessage } from '../scripts/generate/files.ts'

// Files whose generators start programs are compared by `npm run check:generated`, which CI runs.
describe('generated files are those that `npm run generate` writes', () => {
  it.each(generatedFiles.filter(({ startsProgram }) => !startsProgram))('$path', async (file) => {
    expect(isStale(file, await file.generate()), staleMessage(file)).toBe(false)
  })
})
