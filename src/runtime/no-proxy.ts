// Exempts loopback addresses from the HTTP proxy that the environment names, as no proxy can reach a local sandbox.

/** With and without brackets, as programs differ in how they compare an IPv6 address. */
const loopback = ['localhost', '127.0.0.1', '::1', '[::1]']

/** Returns both spellings of the variable, with the loopback names in addition to their own. */
export function withoutProxyOnLoopback(env: Readonly<Record<string, string | undefined>>): {
  NO_PROXY: string
  no_proxy: string
} {
  const { NO_PROXY, no_proxy } = env
  return { NO_PROXY: extended(NO_PROXY || no_proxy), no_proxy: extended(no_proxy || NO_PROXY) }
}

function extended(names = ''): string {
  const own = names.split(/[\s,]+/).filter((name) => name !== '')
  // Programs know `*` only if it is alone.
  return own.includes('*') ? '*' : [...new Set([...own, ...loopback])].join()
}
