import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { packageRoot } from '../../src/runtime/host.ts'

const read = (name: string): string => readFileSync(join(packageRoot(), name), 'utf8')

/** The paths of this repository that a page names in code. */
const pathsIn = (page: string): string[] =>
  [...page.matchAll(/`((?:src|test|scripts|docs|fixtures|scenarios|\.ci)\/[\w./-]*)`/g)].map(
    ([, path = '']) => path,
  )

describe.each(['docs/architecture.md', 'docs/extending.md', 'CONTRIBUTING.md'])('%s', (name) => {
  it('names files and folders that are there', () => {
    const paths = pathsIn(read(name))
    expect(paths.length).toBeGreaterThan(0)
    expect(paths.filter((path) => !existsSync(join(packageRoot(), path)))).toEqual([])
  })
})

it('the picture of docs/architecture.md has every room of src, once', () => {
  const [, picture = ''] = /```text\n([\s\S]*?)```/.exec(read('docs/architecture.md')) ?? []
  const rooms = [...picture.matchAll(/^ ([a-z-]+) /gm)].map(([, room]) => room)
  const folders = readdirSync(join(packageRoot(), 'src')).map((name) => name.replace(/\.ts$/, ''))
  expect(rooms.toSorted()).toEqual(folders.toSorted())
})

it('docs/architecture.md lists the files that one call runs through, the app among them', () => {
  const [, files = ''] =
    /`npm run trace:call`[\s\S]*?```text\n([\s\S]*?)```/.exec(read('docs/architecture.md')) ?? []
  expect(files.split('\n')).toContain('http/app.ts')
})
