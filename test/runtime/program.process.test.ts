import { chmod, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { startProgram, type Program } from '../../src/runtime/program.ts'
import { openHandles } from '../helpers/open-handles.ts'
import { Printed } from '../helpers/printed.ts'
import { isGone } from '../helpers/processes.ts'

/** A program of node whose output is kept. */
async function started(script: string): Promise<Program & { printed: Printed }> {
  const printed = new Printed()
  const program = await startProgram([process.execPath, '-e', script], {
    cwd: tmpdir(),
    env: { PATH: process.env['PATH'], MARK: 'here' },
    onOutput: (chunk) => printed.add(Buffer.from(chunk).toString()),
  })
  return { ...program, printed }
}

const deaf = `for (const s of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(s, () => console.log(s))
  console.log('ready'); setInterval(() => {}, 1000)`

describe('a program', () => {
  it.each([0, 1, 3, 255])('exits with %i -> that', async (code) => {
    expect(await (await started(`process.exit(${code})`)).ended).toBe(code)
  })

  it.each([
    ['SIGTERM', 143],
    ['SIGINT', 130],
    ['SIGHUP', 129],
    ['SIGKILL', 137],
  ] as const)('ended by %s -> %i, as shells have it', async (signal, code) => {
    const program = await started("console.log('ready'); setInterval(() => {}, 1000)")
    await program.printed.until(/ready/)
    program.kill(signal)
    expect(await program.ended).toBe(code)
  })

  it('deaf to all other signals -> SIGKILL ends it', async () => {
    const program = await started(deaf)
    await program.printed.until(/ready/)
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
      program.kill(signal)
      await program.printed.until(new RegExp(signal))
    }
    program.kill('SIGKILL')
    expect(await program.ended).toBe(137)
    expect(() => program.kill('SIGTERM')).not.toThrow()
  })

  it('has the working directory and the environment that it is given, and nothing to read', async () => {
    const { printed, ended } = await started(
      "process.stdin.on('end', () => console.log(process.cwd(), process.env.MARK)).resume(); console.error('err')",
    )
    expect(await ended).toBe(0)
    expect(printed.text.split('\n').toSorted()).toEqual(['', `${tmpdir()} here`, 'err'])
  })

  it('leaves something behind that holds its output -> that ends with it', async () => {
    const { printed, ended } = await started(
      `const { spawn } = require('node:child_process')
       const left = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' })
       console.log(left.pid); left.unref()`,
    )
    expect(await ended).toBe(0)
    expect(await isGone(Number(printed.text))).toBe(true)
  })

  it('starts something in a group of its own that holds its output -> the end does not wait for it', async () => {
    const before = await openHandles('PipeWrap')
    const { printed, ended } = await started(
      `const { spawn } = require('node:child_process')
       const left = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit', detached: true })
       console.log(left.pid); left.unref()`,
    )
    expect(await ended).toBe(0)
    expect(await openHandles('PipeWrap')).toBe(before)
    process.kill(Number(printed.text), 'SIGKILL')
  })

  it('is none, or may not be executed -> what the system says', async () => {
    const file = join(await mkdtemp(join(tmpdir(), 'program-')), 'script')
    await writeFile(file, '#!/no/such/interpreter\n')
    const options = { cwd: tmpdir(), env: {} }
    await expect(startProgram([file], options)).rejects.toMatchObject({ code: 'EACCES' })
    await chmod(file, 0o755)
    await expect(startProgram([file], options)).rejects.toMatchObject({ code: 'ENOENT' })
    await expect(startProgram(['no-such-program'], options)).rejects.toMatchObject({ code: 'ENOENT' })
  })
})
