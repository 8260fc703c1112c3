import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { packageRoot } from '../../src/runtime/host.ts'
import { anchor } from '../../scripts/docs/markdown.ts'

const pathOf = (name: string): string => join(packageRoot(), name)

const pagesOfFolder = readdirSync(pathOf('docs'), { withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map(({ name }) => `docs/${name}`)

describe('links', () => {
  const documents = [
    ...pagesOfFolder.filter((name) => name.endsWith('.md')),
    'README.md',
    'CONTRIBUTING.md',
    'SECURITY.md',
    'CHANGELOG.md',
    'AGENTS.md',
  ]

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

describe('docs/README.md, the index', () => {
  const index = readFileSync(pathOf('docs/README.md'), 'utf8')

  it('links every page of the folder exactly once, but those for maintainers, which are not in the package', () => {
    const linked = [...index.matchAll(/\]\(([^)/]+)\)/g)].map(([, path]) => `docs/${path}`)
    const others = ['docs/README.md', 'docs/architecture.md', 'docs/extending.md']
    expect(linked.toSorted()).toEqual(pagesOfFolder.filter((name) => !others.includes(name)).toSorted())
  })

  it('goes from the tutorial to the background', () => {
    const headings = [...index.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading)
    expect(headings).toEqual(['Tutorial', 'How-to', 'Reference', 'Background'])
  })
})

function headingsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8').replaceAll(/^```[\s\S]*?^```/gm, '')
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => anchor(heading))
}
