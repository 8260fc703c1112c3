// Globs: patterns with * and ?.
/**
 * Whether a text fits a pattern: `*` stands for any run of characters and `?` for one; everything else stands for
 * itself. Patterns come from files, so there are no regular expressions: this takes time linear in text times
 * pattern, whatever they are.
 *
 * @example
 * fitsGlob('rwd_*_pending', 'rwd_ada_pending')   // true
 */
export function fitsGlob(pattern: string, text: string): boolean {
  let at = 0
  let place = 0
  let star = -1
  let resume = 0
  while (at < text.length) {
    const wanted = pattern[place]
    if (wanted === '*') {
      star = place++
      resume = at
    } else if (wanted !== undefined && (wanted === '?' || wanted === text[at])) {
      place++
      at++
    } else if (star !== -1) {
      // The last star takes one character more, and everything after it is tried again.
      place = star + 1
      at = ++resume
    } else {
      return false
    }
  }
  while (pattern[place] === '*') place++
  return place === pattern.length
}
