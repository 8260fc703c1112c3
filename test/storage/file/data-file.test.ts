import { mkdir, readdir, readFile, readlink, stat, symlink, writeFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { DataFile, NotAFileError, type DataFileOptions } from '../../../src/storage/file/data-file.ts'
import { TooLargeError } from '../../../src/storage/file/files.ts'
import { gate, watchDisk, type Disk } from '../../helpers/disk.ts'

const options: DataFileOptions = {
  lock: {
    processes: { pid: 7, namespace: 'here', host: 'host', mark: (pid) => (pid === 7 ? 'seven' : undefined) },
  },
  sync: true,
  maxBytes: 1000,
}

async function openOn(
  disk: Disk,
  more: Partial<DataFileOptions> = {},
  name = 'data.json',
): Promise<DataFile> {
  return DataFile.open(disk.path(name), { ...options, ...more })
}

const header = 'header\n'

/** Opens a file and begins its journal, as a start does. */
async function beginOn(disk: Disk, more: Partial<DataFileOptions> = {}): Promise<DataFile> {
  const file = await openOn(disk, more)
  await file.begin(header)
  return file
}

/** Replaces the snapshot by one that holds everything. */
async function save(file: DataFile, pieces: Iterable<string>): Promise<void> {
  await file.snapshot(() => pieces)
  await file.forget('')
}

/** The files of the folder, by name. */
async function contents(disk: Disk): Promise<Record<string, string>> {
  const names = (await readdir(disk.folder)).filter((name) => !name.endsWith('.lock')).toSorted()
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await readFile(disk.path(name), 'utf8')] as const)),
  )
}

const modeOf = async (path: string): Promise<string> => ((await stat(path)).mode & 0o7777).toString(8)

describe('a save', () => {
  it('goes step by step: whenever the machine stops, the old or the new state is there', async () => {
    const disk = await watchDisk()
    const file = await beginOn(disk)
    await save(file, ['old'])
    disk.steps.length = 0
    await save(file, ['new'])
    expect(disk.steps).toEqual([
      'open data.json.tmp',
      'write data.json.tmp',
      'fsync data.json.tmp',
      'link data.json.tmp',
      'rename data.json.prev',
      'unlink data.json.tmp',
      'rename data.json',
      'open .',
      'fsync .',
      'ftruncate data.json.wal',
    ])
    expect(await contents(disk)).toEqual({
      'data.json': 'new',
      'data.json.prev': 'old',
      'data.json.wal': header,
    })
    await file.close()
  })

  it('a journal is begun as a whole, and its name is on the disk before anything else is done', async () => {
    const disk = await watchDisk()
    await writeFile(disk.path('data.json.wal'), 'of another time')
    const file = await openOn(disk)
    disk.steps.length = 0
    await file.begin(header)
    expect(disk.steps).toEqual([
      'open data.json.tmp',
      'write data.json.tmp',
      'fsync data.json.tmp',
      'rename data.json.wal',
      'open .',
      'fsync .',
    ])
    expect(await contents(disk)).toEqual({ 'data.json.wal': header })
    await file.close()
  })

  it.each([
    ['another state', true, 'old'],
    ['no other state', false, 'older'],
  ])('of %s -> the one before it is the last other state', async (_what, isAnother, previous) => {
    const disk = await watchDisk()
    const file = await beginOn(disk)
    await save(file, ['older'])
    await save(file, ['old'])
    await file.snapshot(() => ['new'], isAnother)
    expect(await contents(disk)).toMatchObject({ 'data.json': 'new', 'data.json.prev': previous })
    await file.close()
  })

  it('is made knowing the checksum of what will be the one before it', async () => {
    const disk = await watchDisk()
    const file = await beginOn(disk)
    const known: unknown[] = []
    const ending = (checksum: string, isAnother?: boolean) =>
      file.snapshot((previous) => {
        known.push(previous)
        return [`{"sandbox":{"seed":1,"checksum":"${checksum}"}\n}\n`]
      }, isAnother)
    await ending('0000000a')
    await ending('0000000b')
    await ending('0000000c')
    await ending('0000000d', false)
    expect(known).toEqual([undefined, '0000000a', '0000000b', '0000000b'])
    await file.close()
  })

  it('without sync -> the same steps, but none that waits for the disk', async () => {
    const disk = await watchDisk()
    const file = await beginOn(disk, { sync: false })
    await save(file, ['state'])
    await file.append('line\n')
    await file.forget('line\n')
    expect(disk.steps.filter((step) => step.includes('sync'))).toEqual([])
    expect(await contents(disk)).toEqual({ 'data.json': 'state', 'data.json.wal': header + 'line\n' })
    await file.close()
  })

  it.each([
    'open data.json.tmp',
    'write data.json.tmp',
    'fsync data.json.tmp',
    'link data.json.tmp',
    'rename data.json.prev',
    'rename data.json',
  ])('that fails at "%s" -> the old snapshot is there, and nothing unfinished', async (failing) => {
    const disk = await watchDisk()
    const file = await beginOn(disk)
    await save(file, ['older'])
    await save(file, ['old'])
    disk.judge = (step) => (step === failing ? 'ENOSPC' : undefined)
    await expect(save(file, ['new'])).rejects.toMatchObject({ code: 'ENOSPC' })
    disk.judge = () => undefined
    expect(await contents(disk)).toMatchObject({ 'data.json': 'old', 'data.json.wal': header })
    expect((await readdir(disk.folder)).filter((name) => name.endsWith('.tmp'))).toEqual([])
    await save(file, ['newest'])
    expect(await contents(disk)).toMatchObject({ 'data.json': 'newest', 'data.json.prev': 'old' })
    await file.close()
  })

  it('too large to be read again -> refused, the old one stays', async () => {
    const disk = await watchDisk()
    const file = await beginOn(disk)
    await save(file, ['old'])
    await expect(save(file, ['x'.repeat(1001)])).rejects.toThrow(TooLargeError)
    expect(await contents(disk)).toEqual({ 'data.json': 'old', 'data.json.wal': header })
    await file.close()
  })

  it('a file system without hard links -> the previous snapshot is a copy', async () => {
    const disk = await watchDisk()
    const file = await beginOn(disk)
    await save(file, ['old'])
    disk.judge = (step) => (step.startsWith('link') ? 'EPERM' : undefined)
    await save(file, ['new'])
    expect(await contents(disk)).toMatchObject({ 'data.json': 'new', 'data.json.prev': 'old' })
    await file.close()
  })

  it('a file system that cannot sync folders -> saves all the same; another failure of it counts', async () => {
    const disk = await watchDisk()
    const file = await beginOn(disk)
    disk.judge = (step) => (step === 'fsync .' ? 'EINVAL' : undefined)
    await save(file, ['state'])
    disk.judge = (step) => (step === 'fsync .' ? 'EIO' : undefined)
    await expect(save(file, ['state'])).rejects.toMatchObject({ code: 'EIO', syscall: 'fsync' })
    await file.close()
  })
})

describe('the file', () => {
  it('a new one and its journal are for nobody else', async () => {
    const disk = await watchDisk()
    const file = await beginOn(disk)
    await save(file, ['state'])
    expect(await modeOf(disk.path('data.json'))).toBe('600')
    expect(await modeOf(disk.path('data.json.wal'))).toBe('600')
    await file.close()
  })

  it.each(['640', '644', '600'])('one of mode %s keeps it', async (mode) => {
    const disk = await watchDisk()
    await writeFile(disk.path('data.json'), 'old', { mode: Number.parseInt(mode, 8) })
    const file = await beginOn(disk)
    await save(file, ['new'])
    expect(await modeOf(disk.path('data.json'))).toBe(mode)
    await file.close()
  })

  it.runIf(process.getuid?.() === 0)('one of another owner keeps them, as far as we may', async () => {
    const disk = await watchDisk()
    await writeFile(disk.path('data.json'), 'old')
    const { chown } = await import('node:fs/promises')
    await chown(disk.path('data.json'), 1234, 5678)
    const file = await beginOn(disk)
    await save(file, ['new'])
    expect(await stat(disk.path('data.json'))).toMatchObject({ uid: 1234, gid: 5678 })
    disk.judge = (step) => (step.startsWith('fchown') ? 'EPERM' : undefined)
    await save(file, ['newer'])
    expect(await stat(disk.path('data.json'))).toMatchObject({ uid: 0 })
    await file.close()
  })

  it('behind a link -> the link stays, everything else is beside the file', async () => {
    const disk = await watchDisk()
    await mkdir(disk.path('real'))
    await writeFile(disk.path('real/state.json'), 'old')
    await symlink('real/state.json', disk.path('data.json'))
    const file = await beginOn(disk)
    await save(file, ['new'])
    expect(await readlink(disk.path('data.json'))).toBe('real/state.json')
    expect(await readFile(disk.path('real/state.json'), 'utf8')).toBe('new')
    expect((await readdir(disk.path('real'))).toSorted()).toEqual([
      'state.json',
      'state.json.lock',
      'state.json.prev',
      'state.json.wal',
    ])
    await file.close()
  })

  it('a link to a file that is not there yet -> the file is made where it points', async () => {
    const disk = await watchDisk()
    await mkdir(disk.path('real'))
    await symlink('middle.json', disk.path('data.json'))
    await symlink('real/state.json', disk.path('middle.json'))
    const file = await beginOn(disk)
    await save(file, ['new'])
    await file.close()
    expect(await readdir(disk.path('real'))).toEqual(['state.json', 'state.json.wal'])
    expect(await readFile(disk.path('data.json'), 'utf8')).toBe('new')
  })

  it('a folder -> refused, and no lock is left', async () => {
    const disk = await watchDisk()
    await mkdir(disk.path('data.json'))
    await expect(openOn(disk)).rejects.toThrow(NotAFileError)
    expect(await readdir(disk.folder)).toEqual(['data.json'])
  })

  it('a folder that is not there -> the failure of the file system', async () => {
    const disk = await watchDisk()
    await expect(openOn(disk, {}, 'no/data.json')).rejects.toMatchObject({ code: 'ENOENT' })
  })

  it('what a process left unfinished is removed, other files are not', async () => {
    const disk = await watchDisk()
    for (const name of [
      'data.json.7.1.tmp',
      'data.json.lock.9.0.tmp',
      'data.json.99.12.tmp',
      'data.json.tmp',
      'other.json.7.1.tmp',
    ]) {
      await writeFile(disk.path(name), '')
    }
    const file = await openOn(disk)
    expect((await readdir(disk.folder)).toSorted()).toEqual([
      'data.json.lock',
      'data.json.tmp',
      'other.json.7.1.tmp',
    ])
    await file.close()
  })

  it('not there -> nothing is read, and nothing is made', async () => {
    const disk = await watchDisk()
    const file = await openOn(disk)
    expect([await file.read(), await file.readPrevious()]).toEqual([undefined, undefined])
    expect([await file.readJournal(), await file.hasJournal()]).toEqual([undefined, false])
    await file.close()
    expect(await readdir(disk.folder)).toEqual([])
  })

  it('too large -> not read', async () => {
    const disk = await watchDisk()
    await writeFile(disk.path('data.json'), 'x'.repeat(1001))
    const file = await openOn(disk)
    await expect(file.read()).rejects.toThrow(TooLargeError)
    await file.close()
  })

  it('NODE_ENV=test, which lowdb looks at, changes nothing', async () => {
    expect(process.env['NODE_ENV']).toBe('test')
    const disk = await watchDisk()
    const file = await beginOn(disk)
    await save(file, ['state'])
    await file.close()
    const again = await openOn(disk)
    expect(Buffer.from((await again.read()) ?? []).toString()).toBe('state')
    await again.close()
  })
})

describe('the journal', () => {
  it('an append is one write and one fdatasync', async () => {
    const disk = await watchDisk()
    const file = await beginOn(disk)
    await save(file, ['state'])
    disk.steps.length = 0
    await file.append('one\ntwo\n')
    expect(disk.steps).toEqual(['write data.json.wal', 'fdatasync data.json.wal'])
    expect(file.sizes).toEqual({ snapshot: 5, journal: header.length + 8 })
    await file.close()
    expect(await contents(disk)).toMatchObject({ 'data.json.wal': header + 'one\ntwo\n' })
  })

  it.each(['write data.json.wal', 'fdatasync data.json.wal'])(
    'an append that fails at "%s" -> none of its lines are there, the next one is',
    async (failing) => {
      const disk = await watchDisk()
      const file = await beginOn(disk)
      await save(file, ['state'])
      await file.append('one\n')
      disk.judge = (step) => (step === failing ? 'ENOSPC' : undefined)
      await expect(file.append('two\n')).rejects.toMatchObject({ code: 'ENOSPC' })
      disk.judge = () => undefined
      expect((await contents(disk))['data.json.wal']).toBe(header + 'one\n')
      await file.append('three\n')
      expect((await contents(disk))['data.json.wal']).toBe(header + 'one\nthree\n')
      await file.close()
    },
  )

  it('lines are added while a snapshot is made; then only they are left', async () => {
    const disk = await watchDisk()
    const file = await beginOn(disk)
    await save(file, ['old'])
    await file.append('one\n')
    const { opened, open } = gate()
    disk.judge = (step) => (step === 'rename data.json' ? opened : undefined)
    const making = file.snapshot(() => ['new with one'])
    await file.append('two\n')
    await file.append('three\n')
    open()
    await making
    disk.steps.length = 0
    await file.forget('two\nthree\n')
    expect(disk.steps).toEqual([
      'open data.json.tmp',
      'write data.json.tmp',
      'fsync data.json.tmp',
      'rename data.json.wal',
      'open .',
      'fsync .',
    ])
    await file.append('four\n')
    expect(await contents(disk)).toEqual({
      'data.json': 'new with one',
      'data.json.prev': 'old',
      'data.json.wal': header + 'two\nthree\nfour\n',
    })
    expect(file.sizes.journal).toBe(header.length + 15)
    await file.close()
  })

  it.each(['open data.json.tmp', 'write data.json.tmp', 'fsync data.json.tmp', 'rename data.json.wal'])(
    'cutting it fails at "%s" -> it is whole, and goes on',
    async (failing) => {
      const disk = await watchDisk()
      const file = await beginOn(disk)
      await save(file, ['state'])
      await file.append('one\ntwo\n')
      disk.judge = (step) => (step === failing ? 'ENOSPC' : undefined)
      await expect(file.forget('two\n')).rejects.toMatchObject({ code: 'ENOSPC' })
      disk.judge = () => undefined
      await file.append('three\n')
      expect(await contents(disk)).toEqual({
        'data.json': 'state',
        'data.json.wal': header + 'one\ntwo\nthree\n',
      })
      await file.close()
    },
  )

  it('nothing was added meanwhile -> it is emptied in place', async () => {
    const disk = await watchDisk()
    const file = await beginOn(disk)
    await save(file, ['state'])
    await file.append('one\n')
    disk.steps.length = 0
    await file.forget('')
    expect(disk.steps).toEqual(['ftruncate data.json.wal'])
    await file.close()
  })

  it('ended -> it is gone, whosever it was', async () => {
    const disk = await watchDisk()
    await writeFile(disk.path('data.json.wal'), 'one\n')
    const file = await openOn(disk)
    expect(Buffer.from((await file.readJournal()) ?? []).toString()).toBe('one\n')
    await file.end()
    expect([await file.hasJournal(), await contents(disk)]).toEqual([false, {}])
    await file.begin(header)
    await file.end()
    expect(await contents(disk)).toEqual({})
    await file.close()
  })
})

describe('keepAside', () => {
  it('what cannot be used outlives the next snapshot, and so does the previous one', async () => {
    const disk = await watchDisk()
    for (const [name, text] of [
      ['data.json', 'damaged'],
      ['data.json.prev', 'older'],
      ['data.json.wal', 'journal'],
      ['data.json.unusable', 'of another time'],
    ] as const) {
      await writeFile(disk.path(name), text)
    }
    const file = await openOn(disk)
    expect(await file.copyAside('file')).toBe(disk.path('data.json.unusable'))
    expect(await file.copyAside('journal')).toBe(disk.path('data.json.wal.unusable'))
    await file.begin(header)
    await save(file, ['recovered'])
    expect(await contents(disk)).toEqual({
      'data.json': 'recovered',
      'data.json.prev': 'older',
      'data.json.unusable': 'damaged',
      'data.json.wal': header,
      'data.json.wal.unusable': 'journal',
    })
    await save(file, ['later'])
    expect(await contents(disk)).toMatchObject({ 'data.json': 'later', 'data.json.prev': 'recovered' })
    await file.close()
  })
})
