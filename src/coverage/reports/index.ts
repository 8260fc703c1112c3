// The table of the formats in which the reports of coverage and conform are written.

/** Every format of a report. */
export const reportFormats = ['json', 'text', 'html', 'junit'] as const

export type ReportFormat = (typeof reportFormats)[number]

/** The file properties of a report format. */
interface Format {
  /** The file extension, with its dot. */
  extension: string
  mediaType: string
}

export const formats: Readonly<Record<ReportFormat, Format>> = {
  json: { extension: '.json', mediaType: 'application/json' },
  text: { extension: '.txt', mediaType: 'text/plain; charset=utf-8' },
  html: { extension: '.html', mediaType: 'text/html; charset=utf-8' },
  junit: { extension: '.xml', mediaType: 'application/xml; charset=utf-8' },
}

/** Writes a report in one format. */
export type ReportWriter<Report> = (report: Report) => string

/** The writer of each format, loaded on use. */
export type ReportWriters<Report> = Readonly<Record<ReportFormat, () => Promise<ReportWriter<Report>>>>

/** Whether a word names a format. */
export function isReportFormat(word: string): word is ReportFormat {
  return Object.hasOwn(formats, word)
}

/** Every file extension of a report. */
export const reportExtensions: readonly string[] = reportFormats.map((format) => formats[format].extension)

/** Returns the report format that matches a file's extension; undefined for any other extension. */
export function formatOfFile(path: string): ReportFormat | undefined {
  const name = path.toLowerCase()
  return reportFormats.find((format) => name.endsWith(formats[format].extension))
}
