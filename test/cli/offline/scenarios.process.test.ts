import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { scenarioSchema } from '../../../src/scenarios/scenario-schema.ts'
import { startSandbox } from '../../helpers/sandbox.ts'
import { cli, folderWith, serve, withKey } from '../../helpers/fake-io.ts'

const mine = `name: mine
description: Nothing works.
rules:
  - on: '*'
    effect: unauthenticated
`
const nowhere = async (): Promise<{ cwd: string }> => ({ cwd: await folderWith() })

describe('scenarios', () => {
  it('lists every scenario with what it does, in the order of their names', async () => {
    const { code, stdout, stderr } = await cli(['scenarios'], await nowhere())
    const lines = stdout.trimEnd().split('\n')
    expect([code, stderr, lines.length]).toEqual([0, '', 56])
    expect(lines).toContain(
      'reward-vanishes                         The reward is readable once and gone from the second read on.',
    )
    const names = lines.map((line) => line.split(' ')[0] ?? '')
    expect(names).toEqual(names.toSorted())
  })

  it('--format json -> the catalogue, and a scenario, as the control plane answers them, without a sandbox', async () => {
    const sandbox = await startSandbox()
    const json = async (...words: string[]): Promise<unknown> =>
      JSON.parse((await cli(['scenarios', ...words, '--format', 'json'], await nowhere())).stdout)
    expect(await json()).toEqual({ scenarios: await sandbox.scenarios.list() })
    expect(await json('reward-vanishes')).toEqual(await sandbox.scenarios.get('reward-vanishes'))
  })

  it('NAME -> its document', async () => {
    const { code, stdout, stderr } = await cli(['scenarios', 'reward-vanishes'], await nowhere())
    expect([code, stderr]).toEqual([0, ''])
    expect(parse(stdout)).toEqual(parse(readFileSync('scenarios/reward-vanishes.yaml', 'utf8')))
  })

  it('an unknown NAME -> exit 2, with a suggestion', async () => {
    expect(await cli(['scenarios', 'reward-vanish'], await nowhere())).toEqual({
      code: 2,
      stdout: '',
      stderr: "error: unknown scenario 'reward-vanish', did you mean 'reward-vanishes'?\n",
    })
  })

  it('--scenario FILE -> listed and shown as well', async () => {
    const cwd = await folderWith({ 'mine.yaml': mine })
    expect((await cli(['scenarios', '--scenario', 'mine.yaml'], { cwd })).stdout).toMatch(
      /^mine +Nothing works\.$/m,
    )
    expect(parse((await cli(['scenarios', 'mine', '--scenario', 'mine.yaml'], { cwd })).stdout)).toEqual(
      parse(mine),
    )
  })

  it('schema scenario -> the JSON Schema', async () => {
    const { code, stdout, stderr } = await cli(['schema', 'scenario'])
    expect([code, stderr, JSON.parse(stdout)]).toEqual([0, '', scenarioSchema()])
  })
})

describe('start with a scenario', () => {
  it.each<[string, string[], Record<string, string>, number[]]>([
    ['none', [], {}, [200, 200]],
    ['--scenario NAME', ['--scenario', 'reward-vanishes'], {}, [200, 404]],
    ['--scenario FILE', ['--scenario', 'mine.yaml'], {}, [401, 401]],
    [
      '--scenario twice, the first one decides',
      ['--scenario', 'unavailable', '--scenario', 'mine.yaml'],
      {},
      [503, 503],
    ],
    ['SANDBOX_SCENARIO=NAME,FILE', [], { SANDBOX_SCENARIO: 'reward-vanishes,folder/late.json' }, [500, 404]],
    [
      'a flag wins over the variable',
      ['--scenario', 'unavailable'],
      { SANDBOX_SCENARIO: 'mine.yaml' },
      [503, 503],
    ],
    ['SANDBOX_OPTIONS', [], { SANDBOX_OPTIONS: '--scenario mine.yaml' }, [401, 401]],
  ])('%s', async (_what, argv, env, statuses) => {
    const cwd = await folderWith({
      'mine.yaml': mine,
      'folder/late.json': {
        name: 'late',
        description: 'The first call fails.',
        rules: [{ on: '*', calls: '1', effect: { error: 'INTERNAL_ERROR' } }],
      },
    })
    const got: number[] = []
    const { code } = await serve(['start', ...argv], { cwd, env }, async ({ fetch }) => {
      while (got.length < 2) {
        const answer = await fetch('/v2/rewards/rwd_ada_pending', withKey())
        await answer.text()
        got.push(answer.status)
      }
    })
    expect([code, got]).toEqual([0, statuses])
  })

  it('a path in the config file is relative to that file', async () => {
    const cwd = await folderWith({
      'config/sandbox.yaml': 'scenario: [./mine.yaml]\n',
      'config/mine.yaml': mine,
    })
    await serve(['start', '--config', 'config/sandbox.yaml'], { cwd }, async ({ fetch }) => {
      expect((await fetch('/v2/customers', withKey())).status).toBe(401)
    })
  })
})
