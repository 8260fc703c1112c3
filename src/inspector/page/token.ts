// The token of --admin-token: from a form or the address of the page, stored while the tab is open.
import { ownerOfToken } from '../../workspaces/isolation.ts'

const kept = 'partner-rewards-sandbox token'

const waiting = new Set<() => void>()
let isRefused = false

/** Takes `#token=…` out of the address, so that a shared link does not contain it. */
export function takeTokenFromAddress(): void {
  const [, found, rest = ''] = /^#token=([^&]*)&?(.*)$/.exec(location.hash) ?? []
  if (found === undefined) return
  token.set(decodeURIComponent(found))
  history.replaceState(null, '', `${location.pathname}${location.search}${rest === '' ? '' : `#${rest}`}`)
}

export const token = {
  get(): string | undefined {
    return sessionStorage.getItem(kept) ?? undefined
  },
  set(value: string): void {
    sessionStorage.setItem(kept, value)
    isRefused = false
    for (const tell of waiting) tell()
  },
  /** The control plane wants one, or another one. */
  refused(): void {
    if (isRefused) return
    isRefused = true
    for (const tell of waiting) tell()
  },
  /** The workspace that it is for, where it is the token of a partner. */
  get workspace(): string | undefined {
    return ownerOfToken(token.get() ?? '')
  },
  /** Whether the one that was given is not the right one. */
  get isWrong(): boolean {
    return isRefused && token.get() !== undefined
  },
  /** Whether the page must prompt for it. */
  get isNeeded(): boolean {
    return isRefused
  },
  /** Tells when it was given or refused. */
  watch(tell: () => void): () => void {
    waiting.add(tell)
    return () => waiting.delete(tell)
  },
}
