// The verb webhooks check: checks whether a description of webhook events verifies one captured delivery.
import { resolve } from 'node:path'
import { readCaptured } from '../../events/captured-delivery.ts'
import { checkDelivery, Difference } from '../../events/check-delivery.ts'
import { readDescription } from '../../events/read-description.ts'
import { problemOfSecret } from '../../events/signature.ts'
import { refusal } from '../../input/problems.ts'
import { readBytes, readSource, whyUnreadable } from '../../input/source-file.ts'
import { textOf } from '../../input/utf8.ts'
import { maskApiKeys } from '../../secrets/mask-source.ts'
import { CliError, exitCodes, type CommandIo } from '../io.ts'
import { terminalSafe } from '../output.ts'
import type { Call } from '../verb.ts'

export async function checkWebhooks({ args: [file = ''], flags, io }: Call): Promise<void> {
  const [delivery, secretFile] = [String(flags['delivery']), String(flags['secretFile'])]
  const description = readDescription(await readSource(resolve(io.cwd, file), file))
  const requests = await readCaptured(await readText(delivery, io), delivery)
  const secret = (await readText(secretFile, io)).replace(/\r?\n$/, '')
  const { signing } = description
  if (!/^.+$/.test(secret)) throw refusal(secretFile, 'must have the secret of the endpoint in one line')
  const problem = signing.algorithm === 'none' ? undefined : problemOfSecret(secret, signing.key)
  if (problem !== undefined) throw refusal(secretFile, problem)
  let first: Difference | undefined
  for (const request of requests)
    try {
      checkDelivery(description, request, secret)
      return io.stdout(terminalSafe(`${file} verifies ${delivery}.\n`))
    } catch (error) {
      if (!(error instanceof Difference)) throw error
      // Of several requests, the one that only the signature refuses is the delivery.
      if (!first || error.key === 'signing') first = error
    }
  const next = first?.key === 'signing' ? 'Check the secret, the bytes of the body and' : 'Correct'
  const text = `error: ${file} does not verify ${delivery}: ${first?.message}. ${next} ${first?.key} in ${file}.`
  throw new CliError(terminalSafe(maskApiKeys(text.replaceAll(secret, '***'))), exitCodes.gateFailed)
}

/** Reads a file of at most 50 MiB; `-` is stdin. */
async function readText(name: string, io: CommandIo): Promise<string> {
  if (name === '-') return textOf(await io.readStdin(), 'stdin')
  const bytes = await readBytes(resolve(io.cwd, name), 50 * 2 ** 20).catch((error: unknown) => {
    throw refusal(name, whyUnreadable(error))
  })
  return textOf(bytes, name)
}
