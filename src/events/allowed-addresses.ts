// The addresses to which events may be sent: loopback, and the hosts that --webhook-allow names.
import { BlockList, isIP, isIPv6 } from 'node:net'
import { hostOf, readAllowedHost, type AllowedHost } from '../input/allowed-host.ts'

/** An address of a host, as a resolver returns it. */
export interface ResolvedAddress {
  readonly address: string
  readonly family: number
}

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

/** Whether an address is one of this machine itself, also in the form `::ffff:127.0.0.1`. */
export function isLoopback(address: string): boolean {
  return isIP(address) !== 0 && loopback.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
}

/** Whether a host is this machine by its name or address. */
export const isOwnHost = (host: string): boolean => isOwnName(host) || isLoopback(host)

const isOwnName = (host: string): boolean => host === 'localhost' || host.endsWith('.localhost')

const portOf = ({ port, protocol }: URL): number =>
  port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port)

/** Decides about each address to which an event would be sent. */
export class AllowedAddresses {
  readonly #hosts: readonly AllowedHost[]
  readonly #allowsLoopback: boolean

  /** @param hosts those of --webhook-allow. @param allowsLoopback false if loopback is not the machine of the user. */
  constructor(hosts: readonly string[], allowsLoopback: boolean) {
    this.#hosts = hosts.flatMap((host) => readAllowedHost(host) ?? [])
    this.#allowsLoopback = allowsLoopback
  }

  /** Whether a request to a URL may connect to an address to which its host was resolved. */
  allows(url: URL, address: string): boolean {
    if (this.#allowsLoopback && isLoopback(address)) return true
    const [host, port] = [hostOf(url), portOf(url)]
    return this.#hosts.some(
      ({ name, port: allowed }) =>
        (name === host || name === address) && (allowed === undefined || allowed === port),
    )
  }

  /**
   * Returns why attempts to a URL are skipped, without a look-up of its host; undefined if it is allowed, or depends on
   * that. With partner isolation it never does: a look-up would reveal the names of the operator's network.
   */
  refusalOf(url: URL): string | undefined {
    const host = hostOf(url)
    if (isIP(host) === 0 && this.#allowsLoopback) return undefined
    return this.allows(url, host) ? undefined : this.refusal(url, undefined)
  }

  /** Returns why attempts to a URL may be skipped, before its host is resolved; undefined if it is allowed. */
  warningFor(url: URL): string | undefined {
    const refusal = this.refusalOf(url)
    if (refusal !== undefined) return refusal
    const host = hostOf(url)
    if (this.allows(url, isOwnName(host) ? '127.0.0.1' : host)) return undefined
    return `${host} is not allowed unless it resolves to a loopback address. Start the sandbox with --webhook-allow ${host}`
  }

  /** @param address undefined if the host is not resolved yet. */
  refusal(url: URL, address: string | undefined): string {
    const host = hostOf(url)
    const shown = isIPv6(host) ? `[${host}]` : host
    const isName = isIP(host) === 0
    const subject = address === undefined || !isName ? shown : `${shown} (${address})`
    const rule = this.#allowsLoopback
      ? 'only loopback addresses are allowed'
      : 'with --isolation partner no address is allowed by itself'
    return `${subject} is not allowed: ${rule}. Start the sandbox with --webhook-allow ${shown}`
  }
}
