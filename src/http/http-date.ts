// The Date header for an instant of the sandbox clock. Node would send the machine's own time, which then disagrees
// with every timestamp in the body; the last text is kept, as most answers share their second.
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
