import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { askControl } from '../helpers/control.ts'
import { cli, folderWith } from '../helpers/fake-io.ts'
import { startSandbox } from '../helpers/sandbox.ts'

const metadata =
  '{"id":9223372036854775807,"far":1e400,"near":[0.1000000000000000055,{"zero":-0}],"tiny":-1e-400,"usual":[0.1,1.50,1e2,12],"text":"9223372036854775807"}'
/** The parts that JavaScript writes as the same number are written as JavaScript does. */
const served = metadata.replace('1.50,1e2', '1.5,100')
const fixture = (text: string): string =>
  `{"customers":[{"id":"cus_1","metadata":${text}}],"rewards":[{"id":"rwd_1","customer_id":"cus_1","status":"PENDING","metadata":${text}}]}`

describe('case 126: files', () => {
  it('--fixtures, apply and snapshot diff of the command line', async () => {
    const folder = await folderWith({ 'x.json': fixture(metadata), 'y.json': fixture('{"id":1e400}') })
    const served_ = await startSandbox({ fixtures: [join(folder, 'x.json')] })
    const server = await served_.listen()
    const url = ['--url', server.url]
    expect((await cli(['snapshot', 'save', 'one', ...url], { cwd: folder })).code).toBe(0)
    expect((await cli(['apply', 'y.json', ...url], { cwd: folder })).code).toBe(0)
    expect((await askControl(served_, 'GET', '/state')).text).toContain('"metadata":{"id":1e400}')
    const diff = await cli(['snapshot', 'diff', 'one', '--format', 'json', ...url], { cwd: folder })
    expect(diff.stdout).toContain('"id":9223372036854775807')
    expect(diff.stdout).toContain('"id":1e400')
    expect(JSON.parse(diff.stdout)).toMatchObject({ rewards: { added: [], removed: [] } })
    const text = await cli(['snapshot', 'diff', 'one', ...url], { cwd: folder })
    expect(text.stdout).toContain(`metadata: ${served} -> {"id":1e400}`)
  })
})
