// The address of the inspector, and opening it in the browser: --open.
import { platform } from 'node:os'
import { isLoopback } from '../../http/cors.ts'
import type { CommandSettings } from '../../options/index.ts'
import type { CommandIo } from '../io.ts'

/** What opens an address, by system; `BROWSER` names another program, as many tools read it. */
const openers: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
}

type PageOptions = Pick<CommandSettings, 'host' | 'admin' | 'adminToken' | 'baseUrl'>

/** Whether nobody may use the control plane, as nobody decided who may, off loopback. */
export function isClosed({ host, admin, adminToken }: PageOptions): boolean {
  return !isLoopback(host) && host !== '::1' && admin === undefined && adminToken === undefined
}

/** Where a browser on this machine finds the page; undefined where nobody may look at it. @param url of the server. */
export function pageAddress(url: string, options: PageOptions): string | undefined {
  if (options.admin === 'off' || isClosed(options)) return undefined
  const { baseUrl } = options
  // Nobody can be asked under the address that stands for all of a machine.
  const address = baseUrl ?? url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:')
  return `${address.replace(/\/$/, '')}/_sandbox/ui`
}

/** Opens the page. @returns what went wrong, for whoever asked for it; the sandbox serves nevertheless. */
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
