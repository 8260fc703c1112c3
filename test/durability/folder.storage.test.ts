import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

it('a sandbox with a folder of 20 workspaces that is killed while they are written to, made and deleted -> loses no acknowledged write', async () => {
  const args = ['test/durability/folder.mjs', '--cycles', '2', '--workspaces', '20', '--spell', '500']
  const { stdout } = await promisify(execFile)(process.execPath, args)
  expect(stdout).toMatch(
    /^2 cycles over 20 workspaces in \d+ s: \d+ acknowledged writes, \d+ deleted, 0 lost\n$/,
  )
}, 60_000)
