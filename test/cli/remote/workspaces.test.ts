import { describe, expect, it } from 'vitest'
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
    [['create', 'default'], 2, "error: workspace 'default' exists already: take another name\n"],
    [['create', 'a b'], 2, "error: workspace 'a b': a name is 1 to 64 of A-Z, a-z, 0-9, _ and -\n"],
    [['delete', 'default'], 2, "error: workspace 'default' always exists; reset it instead\n"],
    [['delete', 'x'], 8, "error: no workspace is called 'x': there is 'default'\n"],
    [['remove', 'x'], 2, "error: unknown verb 'workspaces remove', expected one of: create, delete\n"],
  ])('%j -> exit %i', async (words, code, stderr) => {
    const { ask } = await asking()
    expect(await ask(['workspaces', ...words])).toEqual(refused(code, stderr))
  })
})
