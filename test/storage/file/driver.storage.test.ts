import { cp } from 'node:fs/promises'
import { watchDisk, type Disk } from '../../helpers/disk.ts'
import { describeDriver, openSandbox, type TestStorage } from '../driver.contract.ts'

/** A file or a folder of data on a disk that becomes full. */
async function dataOnDisk(name: string, workspaces: readonly string[]): Promise<TestStorage> {
  const disk = await watchDisk()
  return storageOn(disk, name, workspaces)
}

function storageOn(disk: Disk, name: string, workspaces: readonly string[]): TestStorage {
  const data = disk.path(name)
  let isReached = false
  return {
    crash: {
      workspaces,
      places: ['before'],
      at: (last) => {
        let count = 0
        disk.judge = () => {
          isReached ||= count === last
          count += 1
          // The step fails, and so does all that the process does then.
          return isReached ? 'EIO' : undefined
        }
      },
      isReached: () => isReached,
      left: async () => {
        const copy = await watchDisk()
        const isLock = (path: string): boolean => /(?:^|\/)\.?[^/]*\.?lock$/.test(path)
        await cp(disk.folder, copy.folder, { recursive: true, filter: (path) => !isLock(path) })
        return storageOn(copy, name, workspaces)
      },
    },
    open: (options) => openSandbox({ ...options, data }),
    readable: (message) => message.replace(data.replace(/\/$/, ''), 'DATA'),
    outage: {
      begin: async () => {
        disk.judge = (step) => (step.startsWith('write') ? 'ENOSPC' : undefined)
      },
      end: async ({ problems }) => {
        disk.judge = () => undefined
        await problems.until(/can be written again/)
      },
    },
  }
}

describeDriver('file', () => dataOnDisk('data.json', ['default']))
describeDriver('folder', () => dataOnDisk('data/', ['default', 'acme']))
