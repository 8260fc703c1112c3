import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createSandbox } from '../../src/index.ts'
import { documentFiles } from '../../src/input/document-files.ts'
import { readSource } from '../../src/input/source-file.ts'
import { messageOf, writeFolder } from '../helpers/documents.ts'

const scenario = 'name: x\ndescription: d\nrules: [{ on: retrieveReward, effect: not_found }]\n'

/** A folder with files and empty subfolders. */
function folderOf(files: Readonly<Record<string, string>>, folders: readonly string[] = []): string {
  const folder = writeFolder(files)
  for (const name of folders) mkdirSync(join(folder, name))
  return folder
}

describe('a folder of documents', () => {
  it('names the files and folders that it does not read', async () => {
    const folder = folderOf({ 'a.json': '{}', 'b.jsonc': '', 'c.ndjson': '', 'README.md': '', '.keep': '' }, [
      'more',
      '..data',
    ])
    expect(await documentFiles(folder, 'fixtures')).toEqual({
      files: [join(folder, 'a.json')],
      warning: {
        source: 'fixtures',
        path: '',
        message:
          'has b.jsonc, c.ndjson, more/, which are not read: only its own .json, .yaml and .yml files are',
      },
    })
  })

  it('without documents -> refused with what it has', async () => {
    const folder = folderOf({ 'b.jsonc': '' }, ['more'])
    expect(await documentFiles(folder, 'fixtures')).toEqual({
      files: [],
      problem: {
        source: 'fixtures',
        path: '',
        message: 'is a folder without .json, .yaml or .yml files; it has b.jsonc, more/',
      },
    })
  })

  it.each([
    ['fixtures', '{}', (folder: string) => ({ fixtures: folder })],
    ['scenarioLibrary', scenario, (folder: string) => ({ scenarioLibrary: folder })],
  ])('%s: the start warns of them', async (_option, text, options) => {
    const warnings: string[] = []
    const folder = folderOf({ 'a.yaml': text, 'b.jsonc': '' })
    const sandbox = await createSandbox(options(folder), {
      onWarning: ({ message }) => warnings.push(message),
    })
    await sandbox.close()
    expect(warnings).toEqual(['has b.jsonc, which is not read: only its own .json, .yaml and .yml files are'])
  })
})

it.each(['fixtures/*.yaml', 'fixtures/{a,b}.json', 'fixtures/?.yml'])(
  'a pattern: %s -> a hint',
  async (pattern) => {
    expect(await messageOf(readSource(join(folderOf({}), pattern), pattern))).toBe(
      `${pattern}: there is no such file: patterns are not expanded here, so name the folder, or write the pattern without quotes for your shell to expand`,
    )
  },
)
