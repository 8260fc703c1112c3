// Marks the parts of our words that quote the service, so that redaction tells its numbers from ours.

// Private-use characters, which no text of a service has.
const [begins, ends] = ['\ue003', '\ue004']
const marked = /\ue003([^\ue004]*)\ue004/

/**
 * A text that a service wrote, to be put among our words. `Redaction.words` takes the marks away.
 * @example `status ${status}, ${fromService(message)}`
 */
export const fromService = (text: string): string => begins + text.replaceAll(/[\ue003\ue004]/g, '') + ends

/** A text of ours in its parts, without marks. */
export const fromServiceParts = (text: string): { part: string; isOfService: boolean }[] =>
  text.split(marked).map((part, place) => ({ part, isOfService: place % 2 === 1 }))
