import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { writeResult } from '../../src/cli/output.ts'
import { folderWith } from '../helpers/fake-io.ts'

const io = (cwd: string, written: string[]) => ({
  cwd,
  stdout: (text: string) => void written.push(text),
  stderr: (text: string) => void written.push(text),
})

const rows = Array.from({ length: 10_000 }, (_, n) => `row ${n} of the many that there are\n`)

describe('writeResult', () => {
  it('to stdout: many small pieces are few writes', async () => {
    const written: string[] = []
    await writeResult(rows, undefined, io('/', written), 'the rows')
    expect(written.join('')).toBe(rows.join(''))
    expect(written.length).toBeLessThan(10)
  })

  it('to a file: the same text, and said', async () => {
    const cwd = await folderWith()
    const written: string[] = []
    await writeResult(rows, 'out.txt', io(cwd, written), 'the rows')
    expect(written).toEqual(['Wrote the rows to out.txt\n'])
    expect(await readFile(join(cwd, 'out.txt'), 'utf8')).toBe(rows.join(''))
  })

  it('nothing -> an empty file', async () => {
    const cwd = await folderWith()
    await writeResult([], 'out.txt', io(cwd, []), 'nothing')
    expect(await readFile(join(cwd, 'out.txt'), 'utf8')).toBe('')
  })

  it('that fails before its first piece -> the error, and the file as it was', async () => {
    const cwd = await folderWith({ 'out.txt': 'earlier' })
    async function* failing(): AsyncGenerator<string> {
      if (rows.length > 0) throw new Error('no answer')
      yield ''
    }
    await expect(writeResult(failing(), 'out.txt', io(cwd, []), 'the rows')).rejects.toThrow('no answer')
    expect(await readFile(join(cwd, 'out.txt'), 'utf8')).toBe('earlier')
  })
})
