// The URL to call a sandbox by that listens on all addresses, which the control plane refuses as a Host.
export function reachable(url: string): string {
  return url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:')
}
