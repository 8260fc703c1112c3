// The files that init --agents writes for coding agents: AGENTS.md and a skill, updated between two marker lines.
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isSystemError, packageRoot } from '../../runtime/host.ts'
import { textOf as decoded } from '../../input/utf8.ts'
import { CliError, exitCodes, type Io } from '../io.ts'

const page = 'AGENTS.md'
const [begin, end] = ['<!-- partner-rewards-sandbox: begin -->', '<!-- partner-rewards-sandbox: end -->']

/** Both files, with the text that a new one has before the markers. */
const files: readonly { path: string; head: string }[] = [
  { path: page, head: '' },
  {
    path: '.claude/skills/partner-rewards-sandbox/SKILL.md',
    head: `---
name: partner-rewards-sandbox
description: Runs and debugs integration tests of the Partner Rewards, Cards and Transaction Intents API against the local
  sandbox. Use it when a test or program calls this API, when an answer is unexpected, or when a test needs rows, errors,
  outages or time.
---

`,
  },
]

/**
 * Writes the guide of the package into the project. A file that exists keeps its text, byte for byte: the guide replaces
 * the text between the markers, or is appended where there are none. All files are checked before the first is written.
 *
 * @throws {CliError} if a file cannot be read or written, or has other markers than one pair.
 * @throws {DocumentError} if a file is not UTF-8.
 */
export async function writeAgentFiles({ cwd, stderr }: Io): Promise<void> {
  const guide = await textOf(join(packageRoot(), page), page)
  if (guide === undefined) throw new CliError(`error: the package has no ${page}; install it again`)
  const block = [begin, ...guide.trim().split('\n'), end]
  const planned: { path: string; before: string | undefined; after: string }[] = []
  for (const { path, head } of files) {
    const before = await textOf(join(cwd, path), path)
    planned.push({ path, before, after: withBlock(before ?? '', block, path, head) })
  }
  for (const { path, before, after } of planned) {
    if (after !== before) await write(join(cwd, path), after, path)
    stderr(`${before === undefined ? 'created  ' : after === before ? 'unchanged' : 'updated  '} ${path}\n`)
  }
}

/** Returns a text with the block between its markers, or at its end; a text without front matter gets the head. */
function withBlock(text: string, block: readonly string[], path: string, head: string): string {
  const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? []
  const { begins, ends } = markersIn(lines)
  const [first, last] = [begins[0], ends[0]]
  if (first === undefined && last === undefined) {
    const eol = lines[0]?.endsWith('\r\n') ? '\r\n' : '\n'
    const missing = text.startsWith('---') ? '' : head.replaceAll('\n', eol)
    if (text.trim() === '') return missing + textOfLines(block, eol)
    return missing + text + (text.endsWith('\n') ? eol : eol + eol) + textOfLines(block, eol)
  }
  const refuse = (line: number, problem: string): CliError =>
    new CliError(`error: ${path}:${line + 1}: ${problem}`, exitCodes.badFile)
  const again = begins[1] ?? ends[1]
  if (again !== undefined)
    throw refuse(
      again,
      `a second '${lines[again]?.trim()}': expected one pair of these lines; delete this one`,
    )
  if (first === undefined)
    throw refuse(last ?? 0, `'${end}' has no line '${begin}' before it: add that line, or delete this one`)
  if (last === undefined || last < first)
    throw refuse(first, `'${begin}' has no line '${end}' after it: add that line, or delete this one`)
  const eol = lines[first]?.endsWith('\r\n') ? '\r\n' : '\n'
  const written = textOfLines(block, eol)
  const rest = lines.slice(last + 1).join('')
  return lines.slice(0, first).join('') + (lines[last]?.endsWith('\n') ? written : written.trimEnd()) + rest
}

/** Returns the positions of the marker lines; those within a fenced code block are an example of the user. */
function markersIn(lines: readonly string[]): { begins: number[]; ends: number[] } {
  const [begins, ends]: [number[], number[]] = [[], []]
  let fence: string | undefined
  let isInside = false
  for (const [at, line] of lines.entries()) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1]
    // The guide has fences of its own, which it closes.
    if (mark !== undefined && !isInside) {
      if (fence === undefined) fence = mark
      else if (mark.startsWith(fence)) fence = undefined
    } else if (fence === undefined && line.trim() === begin) {
      begins.push(at)
      isInside = true
    } else if (fence === undefined && line.trim() === end) {
      ends.push(at)
      isInside = false
    }
  }
  return { begins, ends }
}

const textOfLines = (lines: readonly string[], eol: string): string => lines.join(eol) + eol

async function textOf(file: string, path: string): Promise<string | undefined> {
  try {
    // A decoder that replaces bytes would change text outside the markers.
    return decoded(await readFile(file), path)
  } catch (error) {
    if (!isSystemError(error)) throw error
    if (error.code === 'ENOENT') return undefined
    throw new CliError(`error: cannot read '${path}' (${error.code})`)
  }
}

async function write(file: string, text: string, path: string): Promise<void> {
  try {
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, text)
  } catch (error) {
    if (!isSystemError(error)) throw error
    throw new CliError(`error: cannot write '${path}' (${error.code})`)
  }
}
