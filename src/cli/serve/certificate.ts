// Whether a start serves https. The modules that make and read certificates are loaded only then.
import type { CommandSettings } from '../../options/index.ts'
import type { Certificate } from './certificate-files.ts'

/** @returns undefined for http. @throws {CliError} see `certificateOf`. */
export async function certificateIfAny(options: CommandSettings): Promise<Certificate | undefined> {
  const { tls, tlsCert, tlsKey, tlsHost, tlsDir } = options
  const isPlain = tlsHost.length === 0 && (tls ?? tlsCert ?? tlsKey ?? tlsDir) === undefined
  return isPlain ? undefined : (await import('./certificate-files.ts')).certificateOf(options)
}
