import { describe, expect, it } from 'vitest'
import { operatorToken, partnerOptions } from '../../helpers/partners.ts'
import { asking, printed, refused, said } from '../../helpers/asking.ts'
import { testNow } from '../../helpers/sandbox.ts'

describe('workspaces', () => {
  it('create, list, delete', async () => {
    const { sandbox, ask } = await asking()
    expect(await ask(['workspaces', 'create', 'worker-1'])).toEqual(
      printed(`worker-1  ${testNow}  sk_sandbox_full.worker-1\n`),
    )
    expect(await ask(['workspaces'])).toEqual(
      printed(`default   ${testNow}  sk_sandbox_full\nworker-1  ${testNow}  sk_sandbox_full.worker-1\n`),
    )
    const { stdout } = await ask(['workspaces', '--format', 'json'])
    expect(JSON.parse(stdout)).toEqual({ workspaces: sandbox.workspaces.list() })
    expect(await ask(['workspaces', 'delete', 'worker-1'])).toEqual(said("Deleted workspace 'worker-1'\n"))
    expect(sandbox.workspaces.list().map(({ name }) => name)).toEqual(['default'])
  })

  it('asking makes none', async () => {
    const { sandbox, ask } = await asking()
    await ask(['workspaces', '--workspace', 'w1'])
    expect(sandbox.workspaces.list()).toHaveLength(1)
  })

  it.each<[string[], number, string]>([
    [['create', 'default'], 2, "error: workspace 'default' already exists: use another name\n"],
    [['create', 'a b'], 2, "error: workspace 'a b': a name is 1 to 64 of A-Z, a-z, 0-9, _ and -\n"],
    [['delete', 'default'], 2, "error: workspace 'default' always exists; reset it instead\n"],
    [['delete', 'x'], 8, "error: no workspace is called 'x': there is 'default'\n"],
    [
      ['remove', 'x'],
      2,
      "error: unknown verb 'workspaces remove', expected one of: create, delete, rotate\n",
    ],
  ])('%j -> exit %i', async (words, code, stderr) => {
    const { ask } = await asking()
    expect(await ask(['workspaces', ...words])).toEqual(refused(code, stderr))
  })
})

describe('workspaces of partners', () => {
  it('create prints all that opens one, and that it is shown once; rotate prints what does from then on', async () => {
    const { url, sandbox, ask } = await asking({}, partnerOptions)
    const words = ['--url', url, '--admin-token', operatorToken]
    const { code, stdout, stderr } = await ask(['workspaces', 'create', 'acme', ...words])
    const made = (purpose: string): string => `${purpose}_[0-9a-z]{24}`
    expect(code).toBe(0)
    expect(stdout).toMatch(
      new RegExp(
        `^acme {2}${testNow}\ntoken ${made('token')}\\.acme\n(\\w+\\.acme {2}${made('sk_sandbox')}\\.acme\n {2}secret ${made('secret')} {2}products [a-z_, ]+\n {2}[A-Z_, ]+\n)+`,
      ),
    )
    expect(stderr).toBe('These are shown only once: copy them now; `workspaces rotate acme` replaces them.\n')
    const [, token = ''] = /token (\S+)/.exec(stdout) ?? []

    const own = ['--url', url, '--admin-token', token]
    // The workspace of the token is meant where none is named.
    expect((await ask(['reset', ...own])).stderr).toMatch(/'acme'/)
    expect((await ask(['workspaces', ...own])).stdout).toBe(`acme  ${testNow}  no API key to show\n`)
    expect((await ask(['clock', ...own, '--workspace', 'beta'])).code).toBe(7)

    const rotated = await ask(['workspaces', 'rotate', 'acme', ...own, '--format', 'json'])
    const { admin_token: next, api_key: key } = JSON.parse(rotated.stdout)
    expect(rotated.code).toBe(0)
    expect(next).not.toBe(token)
    expect(key).toBe(sandbox.workspace('acme').apiKey)
    expect(await ask(['clock', ...own])).toEqual(
      refused(
        7,
        'error: the token is not accepted: Send Authorization: Bearer with a token: that of --admin-token, or the current one of your workspace: a rotation revokes earlier ones.\n',
      ),
    )
    expect((await ask(['clock', '--url', url, '--admin-token', next])).code).toBe(0)
  })

  it('a sandbox that keeps nobody apart has no keys to rotate', async () => {
    const { ask } = await asking()
    await ask(['workspaces', 'create', 'w1'])
    expect(await ask(['workspaces', 'rotate', 'w1'])).toEqual(
      refused(
        2,
        "error: workspace 'w1' shares its keys with all workspaces: only --isolation partner gives each workspace its own keys\n",
      ),
    )
  })
})
