import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { cli, folderWith, serve, withKey } from '../helpers/fake-io.ts'
import { about, unbalanced } from './unbalanced.ts'

describe('validate', () => {
  it('case 136: a statement that does not add up -> a warning, exit 0, and it starts', async () => {
    const cwd = await folderWith({ 'x.json': JSON.stringify(unbalanced, null, 2) })
    const place = `${join(cwd, 'x.json')}:21:28`
    const excerpt = '      "statement_balance": 99\n                           ^'
    expect(await cli(['validate', 'x.json'], { cwd })).toEqual({
      code: 0,
      stdout: `warning: ${place} ${about}\n${excerpt}\n`,
      stderr: 'No problems.\n',
    })
    expect((await cli(['validate', '--format', 'github', 'x.json'], { cwd })).stdout).toBe(
      `::warning file=${join(cwd, 'x.json')},line=21,col=28::${about}\n`,
    )
    const { stdout } = await cli(['validate', '--format', 'json', 'x.json'], { cwd })
    const [path, message] = about.split(': ')
    expect(JSON.parse(stdout)).toEqual({
      problems: [],
      warnings: [{ source: join(cwd, 'x.json'), line: 21, column: 28, path, message, excerpt }],
    })
    const { code, stderr } = await serve(['--fixtures', 'x.json'], { cwd }, async ({ fetch: call }) => {
      const answer = await call('/v2/customers/cus_1/accounts/acct_1/statements', withKey())
      expect(await answer.text()).toContain('"statement_balance":99,')
    })
    // A log hides what could be a card number.
    const masked = about.replace('900719925474', '************')
    expect([code, stderr.includes(`warning: ${place} ${masked}\n${excerpt}\n`)]).toEqual([0, true])
  })

  it('the same id in two files of a folder -> a warning, exit 0, and it starts', async () => {
    const rows = { customers: [{ id: 'cus_1' }] }
    const cwd = await folderWith({ 'f/a.json': rows, 'f/b.json': rows })
    const warning = `warning: ${join(cwd, 'f/b.json')}:1:21 customers[0].id: is also in ${join(cwd, 'f/a.json')}: the fields of this file win\n`
    const { code, stdout, stderr } = await cli(['validate', 'f'], { cwd })
    expect([code, stdout.startsWith(warning), stderr]).toEqual([0, true, 'No problems.\n'])
    expect((await cli(['validate', 'f/a.json', 'f/b.json'], { cwd })).stdout).toBe('')
    const started = await serve(['--fixtures', 'f'], { cwd })
    expect([started.code, started.stderr.includes(warning)]).toEqual([0, true])
  })

  it('x- keys at the top of scenarios and the config file are passed over, too', async () => {
    const cwd = await folderWith({
      'sandbox.config.yaml': 'x-ports: &p 0\nport: *p\n',
      's.yaml':
        'x-gone: &gone { effect: not_found }\nname: s\ndescription: d\nrules:\n  - { <<: *gone, on: retrieveReward }\n',
    })
    expect(await cli(['validate', 's.yaml'], { cwd })).toEqual({
      code: 0,
      stdout: '',
      stderr: 'No problems.\n',
    })
    expect((await cli(['start'], { cwd })).code).toBe(0)
  })
})
