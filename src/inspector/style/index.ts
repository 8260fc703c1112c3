// The style of all HTML: the page, traces, and the reports of coverage and conform.
import { coverage } from './coverage.ts'
import { elements } from './elements.ts'
import { frame } from './frame.ts'
import { parts } from './parts.ts'
import { requests } from './requests.ts'
import { tokens } from './tokens.ts'
import { singleViews } from './single-views.ts'

/** A rule of a later part wins over one of an earlier part. */
export const style = [tokens, elements, parts, frame, requests, singleViews, coverage].join('\n')
