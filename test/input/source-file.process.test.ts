import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readSource } from '../../src/input/source-file.ts'
import { writeFolder } from '../helpers/documents.ts'

describe('what is no regular file', () => {
  const why = 'is not a regular file: a pipe or device may never end'

  it('a pipe that nobody writes to -> refused, and not waited for', async () => {
    const pipe = join(writeFolder({ 'x.json': '{}' }), 'pipe.yaml')
    execFileSync('/usr/bin/env', ['mkfifo', pipe])
    await expect(readSource(pipe, 'pipe.yaml')).rejects.toThrow(`pipe.yaml: ${why}`)
  })
})
