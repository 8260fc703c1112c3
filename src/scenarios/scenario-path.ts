/** Whether a word names a file rather than a scenario. */
export function isScenarioPath(word: string): boolean {
  return /[/\\]|\.(ya?ml|json)$/i.test(word)
}
