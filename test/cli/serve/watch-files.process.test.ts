import { writeFileSync } from 'node:fs'
import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { watchFiles } from '../../../src/cli/serve/watch-files.ts'
import { openHandles } from '../../helpers/open-handles.ts'
import { folderWith } from '../../helpers/fake-io.ts'
import { loadedWith } from '../../helpers/imports.ts'

let watching = new AbortController()
afterEach(() => {
  watching.abort()
  watching = new AbortController()
})

/** Watches paths of a folder; each call of the result waits for what changed together. */
async function watch(cwd: string, paths: readonly string[], from = cwd): Promise<() => Promise<string[]>> {
  const changes = await watchFiles(
    paths.map((path) => join(cwd, path)),
    { cwd: from, signal: watching.signal, onTrouble: (code) => expect.unreachable(code) },
  )
  const steps = changes[Symbol.asyncIterator]()
  return async () => {
    const { value } = (await steps.next()) as IteratorResult<string[], string[]>
    return value.map((file) => file.slice(cwd.length + 1))
  }
}

type Act = (at: (path: string) => string) => Promise<unknown>

const atomically: Act = async (at) => {
  await writeFile(at('rows.yaml.tmp'), 'b')
  await rename(at('rows.yaml.tmp'), at('rows.yaml'))
}

describe('what counts as a change', () => {
  it.each<[title: string, act: Act, files: string[]]>([
    ['a write', (at) => writeFile(at('rows.yaml'), 'b'), ['rows.yaml']],
    ['a save by rename', atomically, ['rows.yaml']],
    ['a deletion', (at) => rm(at('rows.yaml')), ['rows.yaml']],
    ['a document in a given folder', (at) => writeFile(at('folder/b.yml'), 'b'), ['folder/b.yml']],
    ['a new document in it', (at) => writeFile(at('folder/new.json'), 'b'), ['folder/new.json']],
    ['a deletion in it', (at) => rm(at('folder/b.yml')), ['folder/b.yml']],
    ['a file that was not there', (at) => writeFile(at('later.yaml'), 'b'), ['later.yaml']],
    [
      'several at once',
      async (at) => {
        writeFileSync(at('rows.yaml'), 'b')
        writeFileSync(at('folder/b.yml'), 'b')
      },
      ['folder/b.yml', 'rows.yaml'],
    ],
    [
      'what a link leads to is replaced, as mounted configuration is',
      async (at) => {
        await mkdir(at('..2'))
        await writeFile(at('..2/linked.yaml'), 'b')
        await symlink('..2', at('..tmp'))
        await rename(at('..tmp'), at('..data'))
        await rm(at('..1'), { recursive: true })
      },
      ['linked.yaml'],
    ],
  ])('%s', async (_title, act, files) => {
    const cwd = await folderWith({ 'rows.yaml': 'a', 'folder/b.yml': 'a', '..1/linked.yaml': 'a' })
    await symlink('..1', join(cwd, '..data'))
    await symlink('..data/linked.yaml', join(cwd, 'linked.yaml'))
    const next = await watch(cwd, ['rows.yaml', 'folder', 'later.yaml', 'linked.yaml'])
    await act((path) => join(cwd, path))
    expect(await next()).toEqual(files)
  })

  it.each<[title: string, act: Act]>([
    ['another file beside it', (at) => writeFile(at('data/other.yaml'), 'b')],
    ['a file of another kind in a given folder', (at) => writeFile(at('folder/notes.txt'), 'b')],
    [
      'a folder in a given folder, and what is in it',
      async (at) => {
        await mkdir(at('folder/deep'))
        await writeFile(at('folder/deep/c.yaml'), 'b')
      },
    ],
  ])('%s does not', async (_title, act) => {
    const cwd = await folderWith({ 'data/rows.yaml': 'a', 'folder/b.yml': 'a' })
    const next = await watch(cwd, ['data/rows.yaml', 'folder'])
    await act((path) => join(cwd, path))
    await writeFile(join(cwd, 'data/rows.yaml'), 'b')
    expect(await next()).toEqual(['data/rows.yaml'])
  })
})

describe('a watch goes on', () => {
  it.each(['', 'elsewhere'])(
    'after saves by rename, and a deletion; working directory "%s"',
    async (from) => {
      const cwd = await folderWith({ 'rows.yaml': 'a', 'elsewhere/x': '' })
      const next = await watch(cwd, ['rows.yaml'], join(cwd, from))
      const file = join(cwd, 'rows.yaml')
      const acts: Act[] = [atomically, atomically, () => rm(file), () => writeFile(file, 'c'), atomically]
      for (const act of acts) {
        await act((path) => join(cwd, path))
        expect(await next()).toEqual(['rows.yaml'])
      }
    },
  )

  it('after the folder around it has gone and come back, as by a checkout', async () => {
    const cwd = await folderWith({ 'data/rows.yaml': 'a' })
    const next = await watch(cwd, ['data/rows.yaml'])
    await rm(join(cwd, 'data'), { recursive: true })
    expect(await next()).toEqual(['data/rows.yaml'])
    await mkdir(join(cwd, 'data'))
    await writeFile(join(cwd, 'data/rows.yaml'), 'b')
    expect(await next()).toEqual(['data/rows.yaml'])
    await writeFile(join(cwd, 'data/rows.yaml'), 'c')
    expect(await next()).toEqual(['data/rows.yaml'])
  })

  it('while nobody asks: nothing is lost, and what repeats is handed out once', async () => {
    const cwd = await folderWith({ 'a.yaml': 'a', 'b.yaml': 'a', 'c.yaml': 'a' })
    const [next, other] = [
      await watch(cwd, ['a.yaml', 'b.yaml']),
      await watch(cwd, ['a.yaml', 'b.yaml', 'c.yaml']),
    ]
    for (const [name, text] of [
      ['a', '1'],
      ['a', '2'],
      ['b', '1'],
      ['c', '1'],
    ] as const) {
      // In one go, as the two watches may else see an emptied file and a full one as one change and as two.
      writeFileSync(join(cwd, `${name}.yaml`), text)
      // The other watch has seen it, so this one has as well.
      await other()
    }
    expect(await next()).toEqual(['a.yaml', 'b.yaml'])
    writeFileSync(join(cwd, 'b.yaml'), '2')
    expect(await next()).toEqual(['b.yaml'])
  })
})

describe('the end', () => {
  it('the signal ends a watch that waits, and leaves nothing open', async () => {
    const cwd = await folderWith({ 'rows.yaml': 'a' })
    const changes = await watchFiles([join(cwd, 'rows.yaml')], {
      cwd,
      signal: watching.signal,
      onTrouble: (code) => expect.unreachable(code),
    })
    expect(await openHandles('FSEventWrap')).toBeGreaterThan(0)
    const step = changes[Symbol.asyncIterator]().next()
    watching.abort()
    expect(await step).toEqual({ value: undefined, done: true })
    expect(await openHandles('FSEventWrap')).toBe(0)
  })

  it('a signal that was given before -> it ends at once', async () => {
    watching.abort()
    const cwd = await folderWith({ 'rows.yaml': 'a' })
    const changes = await watchFiles([join(cwd, 'rows.yaml')], {
      cwd,
      signal: watching.signal,
      onTrouble: (code) => expect.unreachable(code),
    })
    expect(await changes[Symbol.asyncIterator]().next()).toEqual({ value: undefined, done: true })
    expect(await openHandles('FSEventWrap')).toBe(0)
  })
})

it('its library is loaded for nobody else', () => {
  expect(loadedWith('cli/serve/watch-files.ts')).toContain('chokidar')
  for (const file of ['cli/serve/watch.ts', 'cli/serve/start.ts', 'cli/run.ts']) {
    const loaded = loadedWith(file)
    expect(loaded.size).toBeGreaterThan(1)
    expect(loaded).not.toContain('cli/serve/watch-files.ts')
    expect(loaded).not.toContain('chokidar')
  }
})
