// The formats of coverage reports: json, text, markdown, html, junit.
import type { CoverageReport } from './coverage-report.ts'

/** How a report is written. */
interface Format {
  /** What the name of a file ends with that holds one. */
  extension: string
  mediaType: string
  /** Loads the writer, which nobody needs before there is a report. */
  load(): Promise<(report: CoverageReport) => string>
}

/** Every format of a coverage report. */
export const reportFormats = ['json', 'text', 'markdown', 'html', 'junit'] as const

export type ReportFormat = (typeof reportFormats)[number]

export const formats: Readonly<Record<ReportFormat, Format>> = {
  json: {
    extension: '.json',
    mediaType: 'application/json',
    load: async () => (report) => `${JSON.stringify(report, null, 2)}\n`,
  },
  text: {
    extension: '.txt',
    mediaType: 'text/plain; charset=utf-8',
    load: () => import('./text.ts').then((module) => module.textReport),
  },
  markdown: {
    extension: '.md',
    mediaType: 'text/markdown; charset=utf-8',
    load: () => import('./markdown.ts').then((module) => module.markdownReport),
  },
  html: {
    extension: '.html',
    mediaType: 'text/html; charset=utf-8',
    load: () => import('./html.ts').then((module) => module.htmlReport),
  },
  junit: {
    extension: '.xml',
    mediaType: 'application/xml; charset=utf-8',
    load: () => import('./junit.ts').then((module) => module.junitReport),
  },
}

/** Whether a word names a format. */
export function isReportFormat(word: string): word is ReportFormat {
  return Object.hasOwn(formats, word)
}

/** Every extension that a report's file can have. */
export const reportExtensions: readonly string[] = reportFormats.map((format) => formats[format].extension)

/** The format of a report by the name of its file; undefined for an extension that none has. */
export function formatOfFile(path: string): ReportFormat | undefined {
  const name = path.toLowerCase()
  return reportFormats.find((format) => name.endsWith(formats[format].extension))
}
