import { mkdir, readdir } from 'node:fs/promises'
import Module from 'node:module'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { folderWith } from '../helpers/fake-io.ts'
import { launch, bin, started } from '../helpers/processes.ts'

/** From Node 22.1 on, Node keeps the code itself. */
const isOurs = !('enableCompileCache' in Module)

describe('start', () => {
  it('keeps its code below the home of its user, once, and says nothing of it', async () => {
    const HOME = await folderWith()
    const cache = join(HOME, '.cache/partner-rewards-sandbox')
    const reported: string[] = []
    const kept: string[][] = []
    for (let time = 0; time < 2; time++) {
      const child = await started(['--quiet'], { env: { HOME } })
      child.process.kill('SIGTERM')
      expect(await child.ended).toBe(0)
      reported.push(child.err())
      kept.push(await readdir(cache))
    }
    expect(reported).toEqual(['', ''])
    expect(kept[0]).toHaveLength(1)
    expect(kept[1]).toEqual(kept[0])
  })

  it.each([
    ['with the cache switched off', { NODE_DISABLE_COMPILE_CACHE: '1' }],
    ['on a system that lets nobody write', { XDG_CACHE_HOME: '/proc/sandbox' }],
  ])('keeps nothing %s', async (_, env) => {
    const HOME = await folderWith()
    const child = await started(['--quiet'], { env: { HOME, ...env } })
    child.process.kill('SIGTERM')
    expect(await child.ended).toBe(0)
    expect(child.err()).toBe('')
    expect(await readdir(HOME)).toEqual([])
  })

  it.runIf(isOurs)('alone keeps code: what another verb compiled would be too little', async () => {
    const HOME = await folderWith()
    await mkdir(join(HOME, '.cache'))
    expect(await launch([bin, '--version'], { env: { HOME } }).ended).toBe(0)
    expect(await readdir(join(HOME, '.cache/partner-rewards-sandbox'))).toEqual([])
  })
})
