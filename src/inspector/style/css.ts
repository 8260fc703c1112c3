// Marks a text as CSS, so that editors and the formatter know it.

/** The text as it stands, without escapes of JavaScript. */
export const css = String.raw
