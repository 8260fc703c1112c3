// Formats the Date header for an instant of the sandbox clock. Node would send the machine's own time, which disagrees
// with the timestamps in the body. The last text is cached, as most answers share their second.
let second = Number.NaN
let text = ''

export function httpDate(now: number): string {
  const current = Math.floor(now / 1000)
  if (current !== second) {
    second = current
    text = new Date(now).toUTCString()
  }
  return text
}
