// The verb webhooks check: checks whether a description of webhook events verifies captured deliveries.
import { resolve } from 'node:path'
import { readCaptured, type CapturedRequest } from '../../events/captured-delivery.ts'
import { checkDelivery, Difference } from '../../events/check-delivery.ts'
import type { WebhookDescription } from '../../events/description-type.ts'
import { isPreset, presets } from '../../events/presets/index.ts'
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
  if (delivery === '-' && secretFile === '-')
    throw new CliError('error: --delivery and --secret-file: only one of the two can be stdin')
  const description = isPreset(file)
    ? presets[file]
    : readDescription(await readSource(resolve(io.cwd, file), file))
  const deliveries = await readCaptured(await readText(delivery, io), delivery)
  const secret = (await readText(secretFile, io)).replace(/\r?\n$/, '')
  const { signing } = description
  if (!/^.+$/.test(secret)) throw refusal(secretFile, 'must have the secret of the endpoint in one line')
  const problem = signing.algorithm === 'none' ? undefined : problemOfSecret(secret, signing.key)
  if (problem !== undefined) throw refusal(secretFile, problem)
  const safe = (text: string): string => terminalSafe(maskApiKeys(text.replaceAll(secret, '***')))
  const notes: string[] = []
  for (const { entry, candidates } of deliveries) {
    const what = entry === undefined ? delivery : `${entry} of ${delivery}`
    const { difference, further } = checked(description, candidates, secret)
    notes.push(
      ...further.map((field) => `${what}: ${field} is a further field, which ${file} does not have.\n`),
    )
    if (difference === undefined) continue
    const text = `error: ${file} does not verify ${what}: ${difference.message}. ${nextStep(difference, file, delivery)}.`
    throw new CliError(safe(text), exitCodes.gateFailed)
  }
  io.stdout(safe(`${file} verifies ${delivery}.\n${notes.join('')}`))
}

/** Returns how a delivery differs from a description, or its further fields if one of its candidates is verified. */
function checked(
  description: WebhookDescription,
  candidates: readonly CapturedRequest[],
  secret: string,
): { difference?: Difference; further: string[] } {
  let first: Difference | undefined
  for (const request of candidates)
    try {
      return { further: checkDelivery(description, request, secret) }
    } catch (error) {
      if (!(error instanceof Difference)) throw error
      // Of several candidates, the one that only the signature refuses is the delivery.
      if (!first || error.key === 'signing') first = error
    }
  return { further: [], ...(first && { difference: first }) }
}

function nextStep({ key }: Difference, file: string, delivery: string): string {
  if (key === 'delivery') return `The body of the delivery must be such an object: check ${delivery}`
  const verb = key === 'signing' ? 'Check the secret, the bytes of the body and' : 'Correct'
  const place = isPreset(file) ? `a copy of ${file}: webhooks presets ${file} > ${file}.yaml` : file
  return `${verb} ${key} in ${place}`
}

/** Reads a file of at most 50 MiB; `-` is stdin. */
async function readText(name: string, io: CommandIo): Promise<string> {
  if (name === '-') return textOf(await io.readStdin(), 'stdin')
  const bytes = await readBytes(resolve(io.cwd, name), 50 * 2 ** 20).catch((error: unknown) => {
    throw refusal(name, whyUnreadable(error))
  })
  return textOf(bytes, name)
}
