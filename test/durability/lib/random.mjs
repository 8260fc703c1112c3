/**
 * Chance that can be repeated: the same seed gives the same numbers (mulberry32).
 * @param {number} seed
 * @returns {(below: number) => number} an integer from 0 to below - 1.
 */
export function randomFrom(seed) {
  let state = seed >>> 0
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0
    let bits = Math.imul(state ^ (state >>> 15), state | 1)
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61)
    return ((bits ^ (bits >>> 14)) >>> 0) % below
  }
}
