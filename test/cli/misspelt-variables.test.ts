import { describe, expect, it } from 'vitest'
import { cli, folderWith } from '../helpers/fake-io.ts'

const away = ['--url', 'http://127.0.0.1:9']

describe('a misspelt variable', () => {
  const message =
    'warning: SANDBOX_SCENARO is not a variable of the sandbox, did you mean SANDBOX_SCENARIO?\n'

  it.each([
    ['validate', ['validate']],
    ['generate', ['generate', '--customers', '1']],
    ['init', ['init']],
    ['scenarios', ['scenarios']],
    ['openapi', ['openapi']],
    ['schema', ['schema', 'fixtures']],
    ['matrix', ['matrix']],
    ['conform', ['conform', '--target', 'none.yaml']],
    ['requests', ['requests', ...away]],
    ['a verb below another', ['workspaces', 'create', 'w1', ...away]],
    ['reset', ['reset', ...away]],
  ])('%s -> one warning on stderr, and the verb runs as without it', async (_verb, argv) => {
    const correct = await cli(argv, { cwd: await folderWith() })
    const warned = await cli(argv, { cwd: await folderWith(), env: { SANDBOX_SCENARO: 'slow' } })
    expect(warned).toEqual({ ...correct, stderr: message + correct.stderr })
  })
})
