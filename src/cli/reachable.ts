// Returns the URL of a sandbox that listens on all addresses; the control plane refuses 0.0.0.0 as a Host.
export function reachable(url: string): string {
  return url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:')
}
