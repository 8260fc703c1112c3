import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { packageRoot } from '../../../src/runtime/host.ts'
import { cli, folderWith } from '../../helpers/fake-io.ts'

const agents = 'AGENTS.md'
const skill = '.claude/skills/partner-rewards-sandbox/SKILL.md'
const [begin, end] = ['<!-- partner-rewards-sandbox: begin -->', '<!-- partner-rewards-sandbox: end -->']
const guide = await readFile(join(packageRoot(), agents), 'utf8')
const block = `${begin}\n${guide.trim()}\n${end}\n`

const init = (cwd: string) => cli(['init', '--agents'], { cwd })
const read = (cwd: string, path: string) => readFile(join(cwd, path), 'utf8')

describe('init --agents', () => {
  it('an empty folder -> both files, and nothing else', async () => {
    const cwd = await folderWith()
    expect(await init(cwd)).toEqual({
      code: 0,
      stdout: '',
      stderr: `created   ${agents}\ncreated   ${skill}\n`,
    })
    expect(await read(cwd, agents)).toBe(block)
    const [, frontMatter, rest] = /^---\n([^]+?)\n---\n\n([^]+)$/.exec(await read(cwd, skill)) ?? []
    expect(frontMatter).toMatch(/^name: partner-rewards-sandbox\ndescription: Runs /)
    expect(rest).toBe(block)
  })

  it('a second time -> changes nothing, and says so', async () => {
    const cwd = await folderWith()
    await init(cwd)
    const before = [await read(cwd, agents), await read(cwd, skill)]
    expect((await init(cwd)).stderr).toBe(`unchanged ${agents}\nunchanged ${skill}\n`)
    expect([await read(cwd, agents), await read(cwd, skill)]).toEqual(before)
  })

  it.each([
    ['a file without markers', '# Mine\n\nRun make.\n', `# Mine\n\nRun make.\n\n${block}`],
    ['an empty file', '', block],
    ['an older guide', `# Mine\n${begin}\nold\n${end}\n\nMore.\n`, `# Mine\n${block}\nMore.\n`],
    ['an empty guide', `${begin}\n${end}\n`, block],
    [
      'a file with CRLF',
      `# Mine\r\n${begin}\r\nold\r\n${end}\r\nMore.\r\n`,
      `# Mine\r\n${block.replaceAll('\n', '\r\n')}More.\r\n`,
    ],
    ['a file without a line end', '# Mine', `# Mine\n\n${block}`],
    ['mixed line ends', `A\r\nB\n${begin}\nold\n${end}\nC\r\n`, `A\r\nB\n${block}C\r\n`],
    ['no line end behind the markers', `${begin}\nold\n${end}`, block.trimEnd()],
    [
      'indented markers with spaces behind',
      `# Mine\n${begin}  \nold\n  ${end}\nMore.\n`,
      `# Mine\n${block}More.\n`,
    ],
    [
      'markers in a code block of the user',
      `\`\`\`\n${begin}\nsample\n${end}\n\`\`\`\n`,
      `\`\`\`\n${begin}\nsample\n${end}\n\`\`\`\n\n${block}`,
    ],
    ['a guide with an open code block', `${begin}\n\`\`\`sh\n${end}\nMore.\n`, `${block}More.\n`],
  ])('%s -> keeps all text outside the markers', async (_, before, after) => {
    const cwd = await folderWith({ [agents]: before })
    expect((await init(cwd)).stderr).toBe(`updated   ${agents}\ncreated   ${skill}\n`)
    expect(await read(cwd, agents)).toBe(after)
  })

  it.each([
    [
      'begin without end',
      `# Mine\n${begin}\nold\n`,
      `error: AGENTS.md:2: '${begin}' has no line '${end}' after it: add that line, or delete this one\n`,
    ],
    [
      'end without begin',
      `${end}\n`,
      `error: AGENTS.md:1: '${end}' has no line '${begin}' before it: add that line, or delete this one\n`,
    ],
    [
      'end before begin',
      `${end}\nMine\n${begin}\n`,
      `error: AGENTS.md:3: '${begin}' has no line '${end}' after it: add that line, or delete this one\n`,
    ],
    [
      'two guides',
      `${begin}\n${end}\nMine\n${begin}\n${end}\n`,
      `error: AGENTS.md:4: a second '${begin}': expected one pair of these lines; delete this one\n`,
    ],
    [
      'two ends',
      `${begin}\n${end}\nMine\n${end}\n`,
      `error: AGENTS.md:4: a second '${end}': expected one pair of these lines; delete this one\n`,
    ],
  ])('%s -> exit 3, and no file is written', async (_, before, stderr) => {
    const cwd = await folderWith({ [agents]: before })
    expect(await init(cwd)).toEqual({ code: 3, stdout: '', stderr })
    expect(await read(cwd, agents)).toBe(before)
    await expect(read(cwd, skill)).rejects.toThrow('ENOENT')
  })

  it('text that is not UTF-8 -> exit 3, and no byte is changed', async () => {
    const cwd = await folderWith()
    const bytes = Buffer.from('caf\xe9\n', 'latin1')
    await writeFile(join(cwd, agents), bytes)
    expect(await init(cwd)).toEqual({
      code: 3,
      stdout: '',
      stderr: 'AGENTS.md:1: must be text in UTF-8; it has an invalid byte at 3\n',
    })
    expect(await readFile(join(cwd, agents))).toEqual(bytes)
  })

  it('a problem of the second file -> the first is not written', async () => {
    const cwd = await folderWith()
    await mkdir(dirname(join(cwd, skill)), { recursive: true })
    await writeFile(join(cwd, skill), `${begin}\n`)
    expect(await init(cwd)).toEqual({
      code: 3,
      stdout: '',
      stderr: `error: ${skill}:1: '${begin}' has no line '${end}' after it: add that line, or delete this one\n`,
    })
    await expect(read(cwd, agents)).rejects.toThrow('ENOENT')
  })

  it('a skill with front matter of its own -> keeps it', async () => {
    const cwd = await folderWith()
    await mkdir(dirname(join(cwd, skill)), { recursive: true })
    await writeFile(join(cwd, skill), '---\nname: mine\n---\n')
    await init(cwd)
    expect(await read(cwd, skill)).toBe(`---\nname: mine\n---\n\n${block}`)
  })

  it.each(['', 'Mine.\n'])('a skill with the text %j -> gets the front matter', async (before) => {
    const cwd = await folderWith()
    await mkdir(dirname(join(cwd, skill)), { recursive: true })
    await writeFile(join(cwd, skill), before)
    await init(cwd)
    const after = await read(cwd, skill)
    expect(after).toMatch(/^---\nname: partner-rewards-sandbox\n/)
    expect(after.endsWith(before === '' ? `---\n\n${block}` : `---\n\n${before}\n${block}`)).toBe(true)
    expect((await init(cwd)).stderr).toBe(`unchanged ${agents}\nunchanged ${skill}\n`)
  })

  it('a folder in the place of a file -> says so', async () => {
    const cwd = await folderWith()
    await mkdir(join(cwd, agents))
    expect(await init(cwd)).toEqual({
      code: 2,
      stdout: '',
      stderr: `error: cannot read 'AGENTS.md' (EISDIR)\n`,
    })
  })

  it('a file in the place of a folder -> says so', async () => {
    const cwd = await folderWith({ '.claude': 'a file' })
    const { code, stderr } = await init(cwd)
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: `error: cannot read '${skill}' (ENOTDIR)\n`,
    })
  })
})
