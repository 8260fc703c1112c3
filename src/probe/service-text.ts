// Marks the parts of our texts that quote the service, so that redaction can tell its numbers from ours.

// Private-use characters, which no text of a service has.
const [begins, ends] = ['\ue003', '\ue004']
const marked = /\ue003([^\ue004]*)\ue004/

/**
 * Marks a text from a service within our words. `Redaction.words` removes the marks.
 * @example `status ${status}, ${fromService(message)}`
 */
export const fromService = (text: string): string => begins + text.replaceAll(/[\ue003\ue004]/g, '') + ends

/** Returns the parts of a text, without marks. */
export const fromServiceParts = (text: string): { part: string; isOfService: boolean }[] =>
  text.split(marked).map((part, place) => ({ part, isOfService: place % 2 === 1 }))
