// The hosts of --webhook-allow, as users write them.

/** A host that --webhook-allow names; without a port, all of its ports are allowed. */
export interface AllowedHost {
  readonly name: string
  readonly port: number | undefined
}

/** The rule of an allowed host, in words that complete "--webhook-allow …". */
export const allowedHostRule = 'must be HOST or HOST:PORT, such as receiver or host.docker.internal:3000'

/**
 * Reads an allowed host; undefined if it is none.
 * @example readAllowedHost('[::1]:3000')   // { name: '::1', port: 3000 }
 */
export function readAllowedHost(text: string): AllowedHost | undefined {
  const [, name = '', port] = /^(\[[\da-fA-F:.]+\]|[^\s:/@?#[\]]+)(?::(\d{1,5}))?$/.exec(text) ?? []
  if (name === '' || !URL.canParse(`http://${name}/`) || Number(port ?? 0) > 65_535) return undefined
  return { name: hostOf(new URL(`http://${name}/`)), port: port === undefined ? undefined : Number(port) }
}

/** The host of a URL, without the brackets of an IPv6 address. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
}
