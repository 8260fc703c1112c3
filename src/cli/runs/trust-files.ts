// The files by which a command that `exec` runs trusts the certificate of its sandbox, in addition to all that it trusts
// otherwise.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rootCertificates } from 'node:tls'
import { caFileVariable } from '../../options/index.ts'
import { isSystemError } from '../../runtime/host.ts'
import { CliError, type Io } from '../io.ts'

/** Where systems keep the roots that they trust: Debian, Fedora, Alpine, macOS. */
const systemRoots = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/cert.pem',
]

/** The variables whose file is in place of the roots of the system: of OpenSSL, which Go and Ruby read too, Python's requests, and curl. */
const inPlaceOfRoots = ['SSL_CERT_FILE', 'REQUESTS_CA_BUNDLE', 'CURL_CA_BUNDLE'] as const

/**
 * Runs a command with the variables that make it trust an authority, if there is one.
 * @param caFile the file with the authority. @param env the environment, whose own variables stay in force.
 */
export async function withTrust<T>(
  caFile: string | undefined,
  env: Io['env'],
  act: (variables: Io['env']) => Promise<T>,
): Promise<T> {
  if (caFile === undefined) return act({})
  const folder = await mkdtemp(join(tmpdir(), 'partner-rewards-sandbox-ca-')).catch((error: unknown) => {
    if (!isSystemError(error)) throw error
    throw new CliError(
      `error: cannot create a folder in ${tmpdir()} (${error.code}): set TMPDIR to a writable folder`,
    )
  })
  try {
    const ca = await readFile(caFile, 'utf8')
    const withOurs = async (name: string, others: string): Promise<string> => {
      const file = join(folder, `${name.toLowerCase()}.pem`)
      await writeFile(file, `${others.trimEnd()}\n${ca}`)
      return file
    }
    const extra = await textOf(env['NODE_EXTRA_CA_CERTS'])
    const variables: Record<string, string> = {
      [caFileVariable]: caFile,
      NODE_EXTRA_CA_CERTS: extra === undefined ? caFile : await withOurs('NODE_EXTRA_CA_CERTS', extra),
    }
    for (const name of inPlaceOfRoots) {
      // curl reads the one of OpenSSL, unless it has its own.
      if (name === 'CURL_CA_BUNDLE' && !env[name]) continue
      variables[name] = await withOurs(name, (await textOf(env[name])) ?? (await rootsOfSystem()))
    }
    return await act(variables)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function rootsOfSystem(): Promise<string> {
  for (const file of systemRoots) {
    const text = await textOf(file)
    if (text !== undefined) return text
  }
  return rootCertificates.join('\n')
}

/** Undefined without a file; an unreadable one trusts nothing. */
async function textOf(file: string | undefined): Promise<string | undefined> {
  return file ? readFile(file, 'utf8').catch(() => undefined) : undefined
}
