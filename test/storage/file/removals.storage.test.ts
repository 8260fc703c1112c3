// Removing what was deleted from a folder of data: on a full disk, after it failed, and what else has such names.
import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { changeName, removeName } from '../../../src/storage/file/fence.ts'
import { systemFiles, type Files } from '../../../src/storage/file/files.ts'
import { removeUnfinished } from '../../../src/storage/file/paths.ts'
import { askControl } from '../../helpers/control.ts'
import { systemError, watchDisk, type Disk } from '../../helpers/disk.ts'
import { newIntent, startIn } from '../../helpers/folder.ts'

const filesOf = (disk: Disk, name: string): string[] =>
  readdirSync(disk.path('data'))
    .filter((file) => file.startsWith(name))
    .toSorted()

/** Has no room for another folder, as a disk whose every block is taken. */
function refuseFolders(code = 'ENOSPC'): void {
  const spy = vi.spyOn(systemFiles, 'mkdir').mockRejectedValue(systemError(code, 'mkdir'))
  onTestFinished(() => void spy.mockRestore())
}

describe('on a disk with no block left', () => {
  it.each(['ENOSPC', 'EDQUOT'])('%s -> what is deleted is removed all the same', async (code) => {
    const disk = await watchDisk()
    const { sandbox, call, said } = await startIn(disk)
    await call('acme', ...newIntent)
    refuseFolders(code)
    expect((await askControl(sandbox, 'DELETE', '/workspaces/acme')).status).toBe(204)
    expect([filesOf(disk, 'acme'), said]).toEqual([[], []])
  })

  it('nor a place for another name -> the same', async () => {
    const disk = await watchDisk()
    const { sandbox, call } = await startIn(disk)
    await call('acme', ...newIntent)
    refuseFolders()
    disk.judge = (step) => (step === 'rename acme.gone' ? 'ENOSPC' : undefined)
    expect((await askControl(sandbox, 'DELETE', '/workspaces/acme')).status).toBe(204)
    expect(filesOf(disk, 'acme')).toEqual([])
  })

  it('nor a place for another name, and the process dies before any step -> it is whole, gone or damaged', async () => {
    const disk = await watchDisk()
    const { sandbox, call } = await startIn(disk)
    const made = await call('acme', ...newIntent)
    const copies: Disk[] = []
    const ready = await Promise.all(Array.from({ length: 8 }, () => watchDisk()))
    disk.judge = (step) => {
      const copy = ready.pop()
      if (!copy) throw new Error('more steps than expected')
      cpSync(disk.path('data'), copy.path('data'), {
        recursive: true,
        filter: (path) => !path.endsWith('.lock'),
      })
      copies.push(copy)
      return step === 'rename acme.gone' ? 'ENOSPC' : undefined
    }
    expect((await askControl(sandbox, 'DELETE', '/workspaces/acme')).status).toBe(204)
    disk.judge = () => undefined
    const outcomes = new Set<number>()
    for (const copy of copies) {
      const later = await startIn(copy, { recover: true })
      const { status } = await later.call('acme', 'GET', `/v2/transaction_intents/${made.json.id}`)
      outcomes.add(status)
      await later.sandbox.close()
    }
    expect(outcomes).toEqual(new Set([200, 503, 404]))
  })

  it('the one that makes room for another frees what that one needs', async () => {
    const disk = await watchDisk()
    const { sandbox, call } = await startIn(disk, { maxWorkspaces: 1, workspaceTtl: '24h' })
    await call('acme', ...newIntent)
    disk.judge = (step) =>
      / bolt\.json.*tmp$/.test(step) && filesOf(disk, 'acme').length > 0 ? 'ENOSPC' : undefined
    expect((await askControl(sandbox, 'POST', '/workspaces', { name: 'bolt' })).status).toBe(201)
    expect(filesOf(disk, 'acme')).toEqual([])
  })
})

describe('a way through a link, where there is no room for a folder', () => {
  /** Another sandbox takes the files over between the look at the lock and the call of the system. */
  const takenOver = (folder: string): Files => {
    const takeOver = (): Promise<void> => removeUnfinished(systemFiles, folder, undefined, () => true)
    return {
      ...systemFiles,
      mkdir: () => Promise.reject(systemError('ENOSPC', 'mkdir')),
      unlink: async (path) => {
        if (!path.endsWith('.tmp')) await takeOver()
        await systemFiles.unlink(path)
      },
      rename: async (from, to) => {
        await takeOver()
        await systemFiles.rename(from, to)
      },
    }
  }
  const lock = { requireOurs: () => undefined }

  it('is gone once another one has the files: what is late takes no name away', async () => {
    const disk = await watchDisk()
    for (const name of ['a.json', 'b.json']) writeFileSync(disk.path(name), name)
    const fence = { files: takenOver(disk.folder), lock }
    await removeName(fence, disk.path('a.json.0123abcd.1.tmp'), disk.path('a.json'))
    expect(
      await changeName(fence, disk.path('a.json.0123abcd.2.tmp'), disk.path('a.json'), disk.path('c')),
    ).toBe(false)
    // The next holder removes the link, and not its target.
    expect(readdirSync(disk.folder).toSorted()).toEqual(['a.json', 'b.json'])
  })

  it.each([
    ['a folder', mkdirSync],
    ['a link', (way: string) => symlinkSync('.', way)],
  ])('%s that could not be taken away before -> is made anew', async (_what, leave) => {
    const disk = await watchDisk()
    writeFileSync(disk.path('a.json'), '')
    const way = disk.path('a.json.0123abcd.0.tmp')
    leave(way)
    await removeName({ files: systemFiles, lock: { requireOurs: () => undefined } }, way, disk.path('a.json'))
    expect(readdirSync(disk.folder)).toEqual([])
  })

  it('cannot be made -> the failure is that of the disk', async () => {
    const disk = await watchDisk()
    writeFileSync(disk.path('a.json'), '')
    const files = {
      ...takenOver(disk.folder),
      symlink: () => Promise.reject(systemError('EPERM', 'symlink')),
    }
    const removing = removeName({ files, lock }, disk.path('a.json.0123abcd.1.tmp'), disk.path('a.json'))
    await expect(removing).rejects.toThrow('ENOSPC')
  })
})

describe('files that could not be removed', () => {
  const failing = async (code = 'EIO') => {
    const disk = await watchDisk()
    const started = await startIn(disk)
    await started.call('acme', ...newIntent)
    disk.judge = (step) => (step === 'rename acme.gone' ? code : undefined)
    const deleted = await askControl(started.sandbox, 'DELETE', '/workspaces/acme')
    expect(deleted.status).toBe(503)
    expect(started.said).toEqual([
      "workspace 'acme' is deleted, but data/acme.json could not be removed (the disk reported an error): this is retried; until then a restart may restore the workspace",
    ])
    return { disk, ...started }
  }

  it('are tried again, and the log says when it is done', async () => {
    const { disk, idleFor, said } = await failing()
    await idleFor(10)
    expect([filesOf(disk, 'acme'), said.length]).toEqual([['acme.json', 'acme.json.wal'], 1])
    disk.judge = () => undefined
    await idleFor(10)
    expect([filesOf(disk, 'acme'), said.slice(1)]).toEqual([[], ['data/acme.json is removed now.']])
    await idleFor(10)
    expect(said).toHaveLength(2)
  })

  it('go at the end, also where one of their name waits for it', async () => {
    const { disk, sandbox, call, idleFor } = await failing()
    const waiting = await call('acme', 'GET', '/v2/customers')
    expect(waiting.status).toBe(503)
    await idleFor(10)
    // Only what was there can go by now.
    disk.judge = (step) => (step === 'open acme.json.tmp' ? 'EIO' : undefined)
    await sandbox.close()
    disk.judge = () => undefined
    expect(filesOf(disk, 'acme')).toEqual([])
    const later = await startIn(disk)
    expect(later.sandbox.workspaces.get('acme')).toBeUndefined()
  })

  it('of one that was damaged -> are moved aside then', async () => {
    const disk = await watchDisk()
    mkdirSync(disk.path('data'))
    writeFileSync(disk.path('data/acme.json'), '{')
    const { sandbox, call, idleFor } = await startIn(disk)
    disk.judge = (step) => (step === 'rename acme.json.unusable' ? 'EIO' : undefined)
    expect((await askControl(sandbox, 'DELETE', '/workspaces/acme')).status).toBe(503)
    // One of the name comes, cannot be written for that, and goes again.
    expect((await call('acme', 'GET', '/v2/customers')).status).toBe(503)
    await askControl(sandbox, 'DELETE', '/workspaces/acme')
    disk.judge = () => undefined
    await idleFor(10)
    expect(filesOf(disk, 'acme')).toEqual(['acme.json.unusable'])
  })

  it('never were there, as a create failed -> the log speaks of none', async () => {
    const disk = await watchDisk()
    const { sandbox, said } = await startIn(disk)
    disk.judge = (step) => (step.startsWith('open ') ? 'EMFILE' : undefined)
    expect((await askControl(sandbox, 'POST', '/workspaces', { name: 'acme' })).status).toBe(503)
    await sandbox.saved()
    disk.judge = () => undefined
    expect(said.filter((line) => line.includes('removed'))).toEqual([])
  })
})

describe('what others have in the folder', () => {
  it('under the name of what a removal leaves -> stays, and stops no start', async () => {
    const disk = await watchDisk()
    mkdirSync(disk.path('data/x.gone'), { recursive: true })
    writeFileSync(disk.path('data/y.gone'), 'notes')
    writeFileSync(disk.path('data/z.gone'), '{\n  "schema_version": 1\n}\n')
    symlinkSync('nowhere', disk.path('data/link.gone'))
    const { sandbox, call } = await startIn(disk)
    expect(readFileSync(disk.path('data/y.gone'), 'utf8')).toBe('notes')
    expect(existsSync(disk.path('data/z.gone'))).toBe(false)
    expect(lstatSync(disk.path('data/link.gone')).isSymbolicLink()).toBe(true)
    // And where a folder has the name that a removal needs, that goes without.
    await call('x', ...newIntent)
    expect((await askControl(sandbox, 'DELETE', '/workspaces/x')).status).toBe(204)
    expect(filesOf(disk, 'x')).toEqual(['x.gone'])
  })

  it('a pipe that nobody writes to -> is damaged, and nobody waits for it', async () => {
    const disk = await watchDisk()
    const before = await startIn(disk)
    for (const name of ['acme', 'bolt']) await before.call(name, ...newIntent)
    await before.sandbox.close()
    rmSync(disk.path('data/bolt.json.prev'))
    for (const name of ['x.json', 'acme.json.wal', 'bolt.json.prev', 'y.gone'])
      execFileSync('/usr/bin/env', ['mkfifo', disk.path(`data/${name}`)])
    const { sandbox } = await startIn(disk)
    expect(sandbox.health().damaged?.toSorted()).toEqual(['bolt', 'x'])
  })
})
