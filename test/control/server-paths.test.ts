// Errors that clients get name a file of the server without its folder; the operator's log has the whole path.
import { mkdir, writeFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { refusalFor } from '../../src/control/refusal.ts'
import { DocumentError } from '../../src/input/problems.ts'
import { createSandbox } from '../../src/sandbox/index.ts'
import { watchDisk } from '../helpers/disk.ts'

const key = { authorization: 'Bearer sk_sandbox_full' }
const json = { ...key, 'content-type': 'application/json' }
const intent = { customer_id: 'cus_ada', amount: 1, currency: 'USD' }

describe('a path of the server', () => {
  it('a data file that cannot be written -> its name alone in answers, its path in the log', async () => {
    const disk = await watchDisk()
    const problems: string[] = []
    const file = disk.path('data.json')
    await using sandbox = await createSandbox({ data: file }, { onProblem: (line) => problems.push(line) })
    disk.judge = (step) => (step.startsWith('write') ? 'ENOSPC' : undefined)
    const create = { method: 'POST', headers: json, body: JSON.stringify(intent) }
    const taken = await (await sandbox.fetch('/v2/transaction_intents', create)).text()
    const refused = await (await sandbox.fetch('/v2/transaction_intents', create)).text()
    const reset = await (await sandbox.fetch('/_sandbox/reset', { method: 'POST' })).text()
    expect(taken).toContain('The change could not be saved to data.json (no space is left on the disk)')
    expect(refused).toContain('data.json cannot be written (no space is left on the disk)')
    expect(reset).toContain('data.json cannot be written (no space is left on the disk)')
    expect([taken, refused, reset].join('')).not.toContain(disk.folder)
    expect(problems).toEqual([expect.stringContaining(`${file} cannot be written`)])
    disk.judge = () => undefined
  })

  it('a damaged file of a folder -> its name alone in answers, its path in the log', async () => {
    const disk = await watchDisk()
    await mkdir(disk.path('kept'))
    await writeFile(disk.path('kept/w1.json'), '[1]')
    const notices: string[] = []
    await using sandbox = await createSandbox(
      { data: disk.path('kept/') },
      { onNotice: (line) => notices.push(line) },
    )
    const path = disk.path('kept/w1.json')
    const answer = await sandbox.fetch('/_sandbox/state?workspace=w1')
    expect([answer.status, await answer.json()]).toEqual([
      503,
      {
        error: {
          type: 'UNAVAILABLE',
          message:
            "workspace 'w1' cannot be used: w1.json:1:1: must be a state document; put its file back, or delete the workspace",
        },
      },
    ])
    expect(notices).toEqual([expect.stringContaining(`${path}:1:1: must be a state document`)])
  })

  it('problems of a file -> its name alone in the message and in the details', async () => {
    const error = new DocumentError(
      [{ source: '/srv/fixtures/a.yaml', line: 3, path: 'rules[0]', message: 'x' }],
      2,
    )
    const response = refusalFor(error)
    expect([response?.status, await response?.json()]).toEqual([
      400,
      {
        error: {
          type: 'INVALID',
          message: 'a.yaml:3 rules[0]: x\n… and 2 more problems',
          details: [{ source: 'a.yaml', line: 3, path: 'rules[0]', message: 'x' }],
          more: 2,
        },
      },
    ])
  })
})
