import { isJsonObject } from '../contract/formats.ts'
import { sandboxUrl } from './health.ts'
import { CliError, exitCodes, type Io } from './io.ts'
import type { FlagValues } from './settings.ts'

const patienceMs = 5_000

/**
 * Asks the control plane of a running sandbox; `--admin-token`, else `SANDBOX_ADMIN_TOKEN`, lets in where one is
 * needed.
 *
 * @param path below `/_sandbox`.
 * @returns the body of a success. @throws {CliError} for every other answer, with what it says, and for none at all.
 */
export async function askSandbox(path: string, flags: FlagValues, io: Io): Promise<unknown> {
  const url = sandboxUrl(flags, io)
  const token = typeof flags['adminToken'] === 'string' ? flags['adminToken'] : io.env['SANDBOX_ADMIN_TOKEN']
  const { status, text } = await read(`${url}/_sandbox${path}`, token).catch(() => {
    throw new CliError(
      `error: no sandbox answers at ${url}: start one, or name it with --url`,
      exitCodes.unexpected,
    )
  })
  const body = parsed(text)
  if (status === 200 && body !== undefined) return body
  throw new CliError(
    `error: ${messageOf(body) ?? `what answers at ${url} is no sandbox: name one with --url`}`,
    exitCodes.unexpected,
  )
}

async function read(url: string, token: string | undefined): Promise<{ status: number; text: string }> {
  const answer = await fetch(url, {
    headers: token ? { authorization: `Bearer ${token}` } : {},
    signal: AbortSignal.timeout(patienceMs),
  })
  return { status: answer.status, text: await answer.text() }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** What the control plane says of a refusal. */
function messageOf(body: unknown): string | undefined {
  const error = isJsonObject(body) ? body['error'] : undefined
  return isJsonObject(error) && typeof error['message'] === 'string' ? error['message'] : undefined
}
