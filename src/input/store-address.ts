// The address of a store: `redis[s]://[USER:PASSWORD@]HOST:PORT[,HOST:PORT…][/DB]`.

/** The address of the engine, with the user. */
export interface StoreAddress {
  /** Several hosts are a cluster. */
  readonly hosts: readonly { readonly host: string; readonly port: number }[]
  readonly tls: boolean
  readonly username?: string
  readonly password?: string
  readonly db?: number
  /** The address without its password, for messages. */
  readonly shown: string
}

/** The word for no store. */
export const inMemory = 'memory'

/** The default port of Redis and Valkey. */
const defaultPort = 6379

const form = 'must be memory, or redis[s]://[USER:PASSWORD@]HOST:PORT[,HOST:PORT…][/DB]'

/** Thrown for an invalid address. The message never repeats it, as it may contain a password. */
export class AddressError extends Error {
  override name = 'AddressError'
}

/**
 * Parses an address.
 * @throws {AddressError} with a sentence that completes "--store: …".
 * @example readStoreAddress('redis://app:secret@localhost/2').shown   // redis://app:***@localhost:6379/2
 */
export function readStoreAddress(text: string): StoreAddress {
  const [, scheme, rest = ''] = /^(rediss?):\/\/(.*)$/s.exec(text) ?? []
  if (scheme === undefined) throw new AddressError(form)
  const at = rest.lastIndexOf('@')
  const place = rest.slice(at + 1)
  const [hostsText = '', ...path] = place.split('/')
  if (/[?#]/.test(place)) throw new AddressError('must have no query and no fragment; a DB follows a slash')
  // Other programs would split the address differently at a slash, a question mark or a hash in a password.
  if (/[/?#]/.test(rest.slice(0, Math.max(at, 0))))
    throw new AddressError('must have /, ? and # in its user name and password as %2F, %3F and %23')
  const hosts = hostsText.split(',').map(readHost)
  const { username, password } = readUser(rest.slice(0, Math.max(at, 0)))
  const db = path.length === 0 ? undefined : readDb(path.join('/'))
  if (db !== undefined && hosts.length > 1)
    throw new AddressError('must have no DB after the hosts: several hosts are a cluster, which has none')
  const who = {
    ...(username !== '' && { username }),
    ...(password !== '' && { password }),
  }
  return {
    hosts,
    tls: scheme === 'rediss',
    ...who,
    ...(db !== undefined && { db }),
    shown: shownAddress(scheme, hosts, who, db),
  }
}

/** Returns a valid address with this password in place of its own; unchanged if there is no password. */
export function withPassword(address: string, password: string | undefined): string {
  if (!password || address === inMemory) return address
  const { username = '' } = readStoreAddress(address)
  const [, scheme = '', place = ''] = /^(rediss?:\/\/)(?:.*@)?(.*)$/s.exec(address) ?? []
  return `${scheme}${encodeURIComponent(username)}:${encodeURIComponent(password)}@${place}`
}

function shownAddress(
  scheme: string,
  hosts: StoreAddress['hosts'],
  { username, password }: Pick<StoreAddress, 'username' | 'password'>,
  db: number | undefined,
): string {
  const who = encodeURIComponent(username ?? '') + (password === undefined ? '' : ':***')
  const places = hosts.map(({ host, port }) => `${host.includes(':') ? `[${host}]` : host}:${port}`)
  return `${scheme}://${who && `${who}@`}${places.join(',')}${db === undefined ? '' : `/${db}`}`
}

function readUser(text: string): { username: string; password: string } {
  const [username = '', ...password] = text.split(':')
  return { username: decoded(username), password: decoded(password.join(':')) }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new AddressError('must have % in its user name and password as %25')
  }
}

function readHost(text: string): { host: string; port: number } {
  const [, bracketed, plain, portText] = /^(?:\[([\da-f:.]+)\]|([\w.-]+))(?::(\d{1,5}))?$/i.exec(text) ?? []
  const host = bracketed ?? plain
  const port = portText === undefined ? defaultPort : Number(portText)
  if (host === undefined)
    throw new AddressError(
      'must name each host as HOST:PORT, separated by commas, and an IPv6 address in brackets, such as [::1]:6379',
    )
  if (port < 1 || port > 65_535) throw new AddressError('must have ports from 1 to 65535')
  return { host, port }
}

function readDb(text: string): number | undefined {
  if (text === '') return undefined
  if (!/^\d{1,6}$/.test(text)) throw new AddressError('must have a number after the slash, which is the DB')
  return Number(text)
}
