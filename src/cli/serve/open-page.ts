// The URL of the inspector, and opening it in the browser: --open.
import { platform } from 'node:os'
import { isLoopback } from '../../http/cors.ts'
import type { CommandSettings } from '../../options/index.ts'
import type { CommandIo } from '../io.ts'

/** The program that opens a URL, by system; `BROWSER` names another one, as in many tools. */
const openers: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
}

type PageOptions = Pick<CommandSettings, 'host' | 'admin' | 'adminToken' | 'baseUrl'>

/** Whether the control plane is closed, as the sandbox listens off loopback without a decision who may use it. */
export function isClosed({ host, admin, adminToken }: PageOptions): boolean {
  return !isLoopback(host) && host !== '::1' && admin === undefined && adminToken === undefined
}

/**
 * Returns the URL of the page for a browser on this machine; undefined if the page is closed. @param url of the server.
 */
export function pageAddress(url: string, options: PageOptions): string | undefined {
  if (options.admin === 'off' || isClosed(options)) return undefined
  const { baseUrl } = options
  // The unspecified address of a machine is not a valid host for requests.
  const address = baseUrl ?? url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:')
  return `${address.replace(/\/$/, '')}/_sandbox/ui`
}

/** Opens the page. @returns the problem, if there is one; the sandbox serves in any case. */
export async function openPage(
  address: string,
  token: string | undefined,
  io: CommandIo,
): Promise<string | undefined> {
  const chosen = io.env['BROWSER']
  const [file, ...args] = chosen ? [chosen] : (openers[platform()] ?? ['xdg-open'])
  const target = token === undefined ? address : `${address}#token=${encodeURIComponent(token)}`
  const child = await io
    .startDetached([file, ...args, target], { cwd: io.cwd, env: io.env })
    .catch(() => undefined)
  if (!child) return `The browser could not be opened (${file}): open ${address}`
  child.release()
  return undefined
}
