// API versions, and how a request selects one (contract: Versioning).
/** The released versions, oldest first; each is named by its release date (Versioning 1, 5). */
export const releasedVersions = ['2025-05-05', '2026-10-13'] as const

/** The version that holds unreleased changes; it exists in sandbox only (Versioning 3, 8). */
export const latestVersion = 'latest'

/** The request and response header that carries a version. HTTP compares its name case-insensitively. */
export const versionHeader = 'x-service-version'

/** Sandbox and production are separate environments with separate API keys (Conventions). */
export const environments = ['sandbox', 'production'] as const

export type Environment = (typeof environments)[number]
export type ReleasedVersion = (typeof releasedVersions)[number]
export type Version = ReleasedVersion | typeof latestVersion

const sandboxVersions: readonly Version[] = [...releasedVersions, latestVersion]

/** The versions that a request may name: production knows released ones only (Versioning 8). */
export function supportedVersions(environment: Environment): readonly Version[] {
  return environment === 'sandbox' ? sandboxVersions : releasedVersions
}

/** Whether an environment serves a version of exactly this name. */
export function isSupported(value: string, supported: readonly Version[]): value is Version {
  return (supported as readonly string[]).includes(value)
}

/** A chosen version and where it came from, or the message of the 400 that answers an unsupported one. */
export type VersionChoice =
  { version: Version; source: 'header' | 'saved'; refusal?: never } | { version?: never; refusal: string }

/**
 * Chooses the version of one request (Versioning 2, 3, 5).
 *
 * A header wins even when it is empty. Its value must be *exactly* a supported version: it is not trimmed, completed
 * or corrected.
 *
 * @example
 * chooseVersion(undefined, '2026-10-13', 'sandbox')   // { version: '2026-10-13', source: 'saved' }
 * chooseVersion('Latest', '2026-10-13', 'sandbox')    // { refusal: "Unsupported x-service-version 'Latest'. …" }
 */
export function chooseVersion(
  header: string | undefined,
  saved: ReleasedVersion,
  environment: Environment,
  supported: readonly Version[] = supportedVersions(environment),
): VersionChoice {
  if (header === undefined) return { version: saved, source: 'saved' }
  if (isSupported(header, supported)) return { version: header, source: 'header' }
  return { refusal: unsupportedVersion(header, supported) }
}

/**
 * The message of the 400 that refuses a version: it names the value and lists the supported versions (Versioning 5).
 */
export function unsupportedVersion(value: string, supported: readonly Version[]): string {
  return `Unsupported ${versionHeader} '${printable(value)}'. Supported versions: ${supported.join(', ') || 'none'}.`
}

/** A rejected value appears in the answer and in log lines, so it must be short and on one line. */
function printable(value: string): string {
  return value.replace(/[^\x20-\x7e]/g, '?').slice(0, 64)
}
