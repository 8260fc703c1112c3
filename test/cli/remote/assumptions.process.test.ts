import { describe, expect, it } from 'vitest'
import { asking, printed, refused } from '../../helpers/asking.ts'

describe('assumptions', () => {
  it('-> a line for each, which tells what was set', async () => {
    const { sandbox, ask } = await asking({}, { assume: { create_status: 201 } })
    const { code, stdout } = await ask(['assumptions'])
    expect([code, stdout.trimEnd().split('\n')]).toEqual([
      0,
      sandbox
        .assumptions()
        .map(({ id, value }) => `${id}=${value}${id === 'create_status' ? ' (default: 200)' : ''}`),
    ])
    const { stdout: json } = await ask(['assumptions', '--format', 'json'])
    expect(JSON.parse(json)).toEqual({ assumptions: sandbox.assumptions() })
  })

  it('of an id -> all that is said of it', async () => {
    const { sandbox, ask } = await asking()
    const found = sandbox.assumptions().find(({ id }) => id === 'create_status')
    expect(await ask(['assumptions', 'create_status'])).toEqual(
      printed(
        `id: create_status\nquestion: ${found?.question}\nsection: ${found?.section}\ndefault: 200\nalternatives: [201]\nvalue: 200\neffect: ${found?.effect}\nobservable: true\nevidence: documented\nprovenance: default\nused: 0\n`,
      ),
    )
    expect(await ask(['assumptions', 'create_status', '--format', 'json'])).toEqual(
      printed(`${JSON.stringify(found)}\n`),
    )
    expect((await ask(['assumptions', 'default_page_size'])).stdout).toMatch(/^range: \[1,100\]$/m)
  })

  it('--workspace -> what the calls of that one rest on', async () => {
    const { sandbox, ask } = await asking()
    await sandbox.workspace('w1').fetch('/v2/rewards/nobody')
    const used = async (...words: string[]): Promise<string | undefined> =>
      /^used: .*$/m.exec((await ask(['assumptions', 'not_found_status', ...words])).stdout)?.[0]
    expect(await used('--workspace', 'w1')).toBe('used: 1')
    expect(await used()).toBe('used: 0')
    expect((await ask(['assumptions', '--workspace', 'w2'])).code).toBe(8)
  })

  it('of no id -> exit 8', async () => {
    const { ask } = await asking()
    expect(await ask(['assumptions', 'create_statu'])).toEqual(
      refused(8, "error: no assumption is called 'create_statu', did you mean 'create_status'?\n"),
    )
  })
})
