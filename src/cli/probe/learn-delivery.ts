// The verb calibrate with --delivery: reads one captured delivery, sends nothing, and writes the description of events.
import { resolve } from 'node:path'
import { descriptionText, summaryLines } from '../../events/learn-description/description-text.ts'
import { learnDescription, type NoMatch } from '../../events/learn-description/index.ts'
import { readDelivery } from '../../events/learn-description/read-delivery.ts'
import { refusal } from '../../input/problems.ts'
import { readBytes, whyUnreadable } from '../../input/source-file.ts'
import { textOf } from '../../input/utf8.ts'
import { CliError, exitCodes, type CommandIo } from '../io.ts'
import { jsonLines } from '../json.ts'
import { terminalSafe, writeResult } from '../output.ts'
import { requireWritable } from '../runs/report-files.ts'
import type { FlagValues } from '../settings.ts'

/** Options of requests to a target: nothing is sent here. */
const forTargets = ['target', 'allow', 'only', 'plan', 'made', 'check']

/** @returns 0 if the description is written, 6 if no candidate gives the signature. */
export async function learnDelivery(flags: FlagValues, io: CommandIo): Promise<number> {
  const { delivery, secretFile, output } = flags
  if (typeof delivery !== 'string' || typeof secretFile !== 'string')
    throw new CliError(
      `error: ${typeof delivery === 'string' ? '--delivery needs --secret-file FILE' : '--secret-file needs --delivery FILE'}`,
    )
  const other = forTargets.find((name) => flags[name] !== undefined)
  if (other !== undefined) throw new CliError(`error: --delivery sends nothing: omit --${other}`)
  const toFile = typeof output === 'string' && output !== '-'
  if (toFile) await requireFree(output, [delivery, secretFile], io)

  const requests = await readDelivery(resolve(io.cwd, delivery), delivery)
  const learned = learnDescription(requests, await readSecret(secretFile, io))
  const isJson = flags['format'] === 'json'
  if (!('description' in learned)) {
    if (!isJson) throw new CliError(terminalSafe(noMatchText(learned, delivery)), exitCodes.gateFailed)
    io.stdout(jsonLines(learned))
    return exitCodes.gateFailed
  }
  if (toFile) await writeResult([descriptionText(learned, output)], output, io, 'the description')
  const summary = terminalSafe(`${summaryLines(learned).join('\n')}\n`)
  if (isJson) io.stdout(jsonLines(learned))
  else if (toFile) io.stdout(summary)
  else {
    io.stdout(descriptionText(learned, ''))
    io.stderr(summary)
  }
  return exitCodes.fine
}

/** @throws {CliError} if the file cannot be written, or is one that is read. */
async function requireFree(output: string, read: readonly string[], { cwd }: CommandIo): Promise<void> {
  const path = resolve(cwd, output)
  if (read.some((file) => resolve(cwd, file) === path))
    throw new CliError(`error: --output: '${output}' is read by this call; name another file`)
  await requireWritable('--output', [path], cwd)
}

/** Maximum size of a secret in bytes. */
const maxSecret = 4096

/** Reads a secret: one line, whose line break does not count. */
async function readSecret(file: string, io: CommandIo): Promise<string> {
  const name = file === '-' ? 'stdin' : file
  const bytes =
    file === '-'
      ? await io.readStdin()
      : await readBytes(resolve(io.cwd, file), maxSecret).catch((error: unknown) => {
          throw refusal(name, whyUnreadable(error))
        })
  const secret = textOf(bytes, name).replace(/\r?\n$/, '')
  if (secret === '' || /[\r\n]/.test(secret))
    throw refusal(name, 'must have the secret of the endpoint in one line')
  return secret
}

function noMatchText({ nearest, position }: NoMatch, file: string): string {
  const { header, looks_like, preset, tried, reason } = nearest
  const where = position === undefined ? file : `${file}, ${position}`
  const seen =
    header === null ? 'no header looks like a signature' : `header ${header} looks like ${looks_like}`
  const count = tried === 0 ? '' : `; ${tried} signatures were computed`
  return `error: ${where}: no description was learned: ${reason}.\nNearest: ${seen}${count}; preset ${preset}.`
}
