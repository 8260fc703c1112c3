import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { yamlDocument } from '../../../src/fixtures/dump-yaml.ts'
import { maxYaml, readSource, sourceFromText } from '../../../src/input/source-file.ts'
import { cli, folderWith } from '../../helpers/fake-io.ts'

describe('generate', () => {
  it('-o - -> standard output, as without -o', async () => {
    const argv = ['generate', '--customers', '2']
    const { stdout } = await cli(argv)
    expect(await cli([...argv, '-o', '-'])).toMatchObject({ code: 0, stdout })
  })

  it.each(['x.yaml', 'x.yml', 'X.YAML'])('-o %s -> YAML, which reads as the JSON does', async (name) => {
    const cwd = await folderWith()
    const { stdout } = await cli(['generate', '--customers', '20'], { cwd })
    expect(await cli(['generate', '--customers', '20', '-o', name], { cwd })).toMatchObject({
      code: 0,
      stdout: '',
    })
    const text = await readFile(join(cwd, name), 'utf8')
    expect(text).toMatch(/^schema_version: 1\ncustomers:\n {2}- id: /)
    expect((await readSource(join(cwd, name))).value).toEqual(JSON.parse(stdout))
    expect((await cli(['validate', name], { cwd })).code).toBe(0)
  })

  it.each([
    ['without --seed', [], 1],
    ['with --seed 7', ['--seed', '7'], 7],
  ])('%s -> the message names the seed, and that seed makes the same document', async (_, argv, seed) => {
    const cwd = await folderWith()
    const { stderr } = await cli(['generate', '--customers', '1', ...argv, '-o', 'x.json'], { cwd })
    expect(stderr).toBe(`Wrote a state document with seed ${seed} to x.json\n`)
    const { stdout } = await cli(['generate', '--customers', '1', '--seed', String(seed)], { cwd })
    expect(stdout).toBe(await readFile(join(cwd, 'x.json'), 'utf8'))
  })

  it('more YAML than is ever read -> a warning with the next step', async () => {
    const cwd = await folderWith()
    const { code, stderr } = await cli(['generate', '--customers', '650', '-o', 'x.yaml'], { cwd })
    expect((await stat(join(cwd, 'x.yaml'))).size).toBeGreaterThan(maxYaml)
    expect([code, stderr]).toEqual([
      0,
      expect.stringMatching(
        /warning: 'x\.yaml' has \d\.\d MiB, and the limit for YAML is 2 MiB: write \.json, or use fewer --customers\n$/,
      ),
    ])
  })
})

describe('yamlDocument', () => {
  it('what looks like something else stays what it is', async () => {
    const document = {
      texts: [
        { a: '2025-05-05', b: '007', c: 'yes', d: '', e: '# no', f: 'a: b', g: '<<', h: 'x\ny', i: '~' },
      ],
      none: [],
      left: undefined,
      one: { a: { b: [1, 2.5, null, true] } },
      long: ['x'.repeat(200) + ' ' + 'y'.repeat(200)],
    }
    const text = [...yamlDocument(document)].join('')
    const { left: _, ...rest } = document
    expect((await sourceFromText(text, 'x', '.yaml')).value).toEqual(rest)
  })
})
