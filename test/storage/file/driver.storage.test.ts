import { watchDisk } from '../../helpers/disk.ts'
import { describeDriver, openSandbox, type TestStorage } from '../driver.contract.ts'

/** A file or a folder of data on a disk that becomes full. */
async function dataOnDisk(name: string): Promise<TestStorage> {
  const disk = await watchDisk()
  const data = disk.path(name)
  return {
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

describeDriver('file', () => dataOnDisk('data.json'))
describeDriver('folder', () => dataOnDisk('data/'))
