import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { packageRoot } from '../../src/runtime/host.ts'
import { anchor } from '../../scripts/docs/markdown.ts'
import { pageNames, pageText } from '../../scripts/docs/pages.ts'

const pathOf = (name: string): string => join(packageRoot(), name)

describe('the documentation is what the declarations say (npm run docs writes it)', () => {
  it.each(pageNames)('%s', async (name) => {
    const made = await pageText(name)
    if (process.env['UPDATE_DOCS']) {
      mkdirSync(dirname(pathOf(name)), { recursive: true })
      writeFileSync(pathOf(name), made)
    } else expect(readFileSync(pathOf(name), 'utf8')).toBe(made)
  })
})

describe('links', () => {
  const documents = [
    ...pageNames,
    'README.md',
    'CONTRIBUTING.md',
    'SECURITY.md',
    'CHANGELOG.md',
    'docs/limits.md',
    'docs/persistence.md',
    'docs/pipelines.md',
    'docs/simulation.md',
  ].filter((name) => existsSync(pathOf(name)))

  it.each(documents)('of %s lead somewhere', (name) => {
    const text = readFileSync(pathOf(name), 'utf8')
    const links = [...text.matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)]
    const broken = links.flatMap(([link, path = '', heading]) => {
      const target = path === '' ? pathOf(name) : join(dirname(pathOf(name)), path)
      if (!existsSync(target)) return [link]
      return heading === undefined || headingsOf(target).includes(heading) ? [] : [link]
    })
    expect(broken).toEqual([])
  })
})

function headingsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8').replaceAll(/^```[\s\S]*?^```/gm, '')
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => anchor(heading))
}
