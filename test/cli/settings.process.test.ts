import { describe, expect, it } from 'vitest'
import { folderWith, serve } from '../helpers/fake-io.ts'

describe('where a value comes from', () => {
  const variable = { SANDBOX_SEED: '4' }
  const line = { SANDBOX_OPTIONS: '--seed 3' }
  const config = { 'sandbox.config.yaml': 'seed: 2\n' }

  it('the same, told by a sandbox that was started so', async () => {
    const cwd = await folderWith(config)
    const seeds: unknown[] = []
    for (const [argv, env] of [
      [['--seed', '5'], { ...variable, ...line }],
      [[], { ...variable, ...line }],
      [[], line],
      [[], {}],
    ] as [string[], Record<string, string>][]) {
      const { stderr } = await serve(['--log-format', 'json', ...argv], { cwd, env })
      seeds.push((JSON.parse(stderr.split('\n')[0] ?? '') as { seed: number }).seed)
    }
    expect(seeds).toEqual([5, 4, 3, 2])
  })
})
