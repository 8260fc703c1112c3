import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { sourceFiles } from '../../helpers/imports.ts'

describe('effects of the page', () => {
  it('are those that begin once and end for certain', () => {
    const direct = sourceFiles
      .filter((file) => file.startsWith('inspector/page/'))
      .filter((file) => {
        const text = readFileSync(new URL(`../../../src/${file}`, import.meta.url), 'utf8')
        return /import [^;]*?\buseEffect\b[^;]*? from 'hono\/jsx/.test(text.split('\nexport ')[0] ?? '')
      })
    expect(direct).toEqual(['inspector/page/use-effect.ts'])
  })
})
