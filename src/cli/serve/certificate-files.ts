// The certificate of a start: the files of --tls-cert and --tls-key, or one that --tls self-signed makes and keeps.
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, link, lstat, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSecureContext } from 'node:tls'
import { whyUnreadable } from '../../input/source-file.ts'
import { flagOf, type CommandSettings, type OptionName } from '../../options/index.ts'
import { serverCertificate } from '../../runtime/certificates.ts'
import { isSystemError, randomSecret, systemHost, userId } from '../../runtime/host.ts'
import { CliError, exitCodes } from '../io.ts'

/** The certificate with which a start serves https. */
export interface Certificate {
  cert: string
  key: string
  /** The file with the authority that clients must trust, in addition to those that they know. */
  caFile: string | undefined
}

type TlsOptions = Pick<CommandSettings, 'tls' | 'tlsCert' | 'tlsKey' | 'tlsHost' | 'tlsDir'>

/** A certificate with fewer days left is replaced. */
const daysLeft = 30

/**
 * Returns the certificate of the options, of which at least one is set.
 * @throws {CliError} for options that do not fit, and for files that cannot be used.
 */
export async function certificateOf(options: TlsOptions): Promise<Certificate> {
  const { tls, tlsCert, tlsKey, tlsHost, tlsDir } = options
  if (tls === undefined) {
    const needing = tlsHost.length > 0 ? 'tlsHost' : tlsDir === undefined ? undefined : 'tlsDir'
    if (needing)
      throw new CliError(
        `error: ${flagOf(needing)} is for a certificate that the sandbox makes: add --tls self-signed`,
      )
    return providedCertificate(tlsCert, tlsKey)
  }
  if (tlsCert !== undefined || tlsKey !== undefined)
    throw new CliError(
      'error: --tls self-signed makes a certificate: omit it to use --tls-cert and --tls-key',
    )
  return keptCertificate(tlsDir ?? defaultFolder(tlsHost), tlsHost)
}

/** One for each set of names: a start with other names does not replace the authority that clients already trust. */
function defaultFolder(hosts: readonly string[]): string {
  const name = ['partner-rewards-sandbox-tls', userId(), ...hosts.toSorted()].join('-')
  return join(tmpdir(), name.replaceAll(':', '_'))
}

async function providedCertificate(certFile?: string, keyFile?: string): Promise<Certificate> {
  if (certFile === undefined || keyFile === undefined)
    throw new CliError('error: --tls-cert and --tls-key belong together: set both')
  const cert = await readPem('tlsCert', certFile)
  const key = await readPem('tlsKey', keyFile)
  const why = whyUnusable(cert, key)
  if (why !== undefined)
    throw new CliError(
      `error: --tls-cert '${certFile}' and --tls-key '${keyFile}' cannot be used: ${why}`,
      exitCodes.badFile,
    )
  const first = new X509Certificate(cert)
  return { cert, key, caFile: first.checkIssued(first) ? certFile : undefined }
}

async function readPem(option: OptionName, file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw isSystemError(error)
      ? new CliError(`error: ${flagOf(option)}: '${file}' ${whyUnreadable(error)}`, exitCodes.badFile)
      : error
  }
}

function whyUnusable(cert: string, key: string): string | undefined {
  try {
    const first = new X509Certificate(cert)
    if (!first.checkPrivateKey(createPrivateKey(key))) return 'the key is not that of the certificate'
    createSecureContext({ cert, key })
    return undefined
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return `expected PEM, the key without a password (${reason})`
  }
}

/** The parts of the file with a kept certificate, which is written whole, so that they always fit. */
const parts = /-----BEGIN ([A-Z ]+)-----.+?-----END \1-----\n/gs

async function keptCertificate(folder: string, hosts: readonly string[]): Promise<Certificate> {
  try {
    return await keepCertificate(folder, hosts)
  } catch (error) {
    if (!isSystemError(error)) throw error
    throw new CliError(`error: ${flagOf('tlsDir')}: cannot use '${folder}' (${error.code})`)
  }
}

async function keepCertificate(folder: string, hosts: readonly string[]): Promise<Certificate> {
  await requirePrivateFolder(folder)
  const names = [...new Set(['localhost', '127.0.0.1', '::1', ...hosts])]
  const file = join(folder, 'server.pem')
  const caFile = join(folder, 'ca.pem')
  let kept = await readKept(file)
  if (!kept || !isUsable(kept, names)) {
    const { now } = systemHost()
    const { key, cert, ca } = serverCertificate(names, now(), Buffer.from(randomSecret(16), 'hex'))
    const written = `${file}.${randomSecret(16)}`
    await writeFile(written, key + cert + ca, { mode: 0o600 })
    // Of several starts at the same time, the first one decides.
    if (existsSync(file)) await rename(written, file)
    else await link(written, file).catch(unlessExists)
    await rm(written, { force: true })
    kept = await readKept(file)
  }
  if (!kept || !isUsable(kept, names))
    throw new CliError(
      `error: ${flagOf('tlsDir')}: '${folder}' is in use by a start with other names: name another folder`,
    )
  const writtenCa = `${caFile}.${randomSecret(16)}`
  await writeFile(writtenCa, kept.ca)
  await rename(writtenCa, caFile)
  return { cert: kept.cert, key: kept.key, caFile }
}

function unlessExists(error: unknown): void {
  if (!isSystemError(error) || error.code !== 'EEXIST') throw error
}

async function readKept(file: string): Promise<{ key: string; cert: string; ca: string } | undefined> {
  const text = await readFile(file, 'utf8').catch(() => '')
  const [key, cert, ca] = text.match(parts) ?? []
  return key === undefined || cert === undefined || ca === undefined ? undefined : { key, cert, ca }
}

/** Whether a kept certificate is for these names, and for some time from now. */
function isUsable(
  { key, cert, ca }: { key: string; cert: string; ca: string },
  names: readonly string[],
): boolean {
  if (whyUnusable(cert, key) !== undefined) return false
  const served = new X509Certificate(cert)
  const left = Date.parse(served.validTo) - systemHost().now()
  if (left < daysLeft * 86_400_000 || !served.verify(new X509Certificate(ca).publicKey)) return false
  return names.every(
    (name) => (isIP(name) === 0 ? served.checkHost(name) : served.checkIP(name)) !== undefined,
  )
}

/** A private key must not be in a folder that others may change. @throws {CliError} */
async function requirePrivateFolder(folder: string): Promise<void> {
  const created = await mkdir(folder, { recursive: true, mode: 0o700 })
  if (created !== undefined) await chmod(folder, 0o700)
  const { uid, mode } = await lstat(folder)
  // Windows has neither users by number nor such modes.
  if (userId() === -1 || (uid === userId() && (mode & 0o077) === 0)) return
  throw new CliError(
    `error: ${flagOf('tlsDir')}: '${folder}' must belong to you, and others must not have access: chmod 700 it, or name another folder`,
  )
}
