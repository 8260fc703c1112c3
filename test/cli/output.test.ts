import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { writeResult } from '../../src/cli/output.ts'
import { folderWith } from '../helpers/fake-io.ts'

const io = (cwd: string, written: string[]) => ({ cwd, stdout: (text: string) => void written.push(text) })

const rows = Array.from({ length: 10_000 }, (_, n) => `row ${n} of the many that there are\n`)

describe('writeResult', () => {
  it('to stdout: many small pieces are few writes', async () => {
    const written: string[] = []
    await writeResult(rows, undefined, io('/', written))
    expect(written.join('')).toBe(rows.join(''))
    expect(written.length).toBeLessThan(10)
  })

  it('to a file: the same text', async () => {
    const cwd = await folderWith()
    await writeResult(rows, 'out.txt', io(cwd, []))
    expect(await readFile(join(cwd, 'out.txt'), 'utf8')).toBe(rows.join(''))
  })

  it('nothing -> an empty file', async () => {
    const cwd = await folderWith()
    await writeResult([], 'out.txt', io(cwd, []))
    expect(await readFile(join(cwd, 'out.txt'), 'utf8')).toBe('')
  })
})
