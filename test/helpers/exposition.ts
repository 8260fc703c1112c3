// Reads the Prometheus text format 0.0.4 strictly, as https://prometheus.io/docs/instrumenting/exposition_formats has it.

/** One metric with its metadata. */
export interface Family {
  type: string
  help: string
  /** By the name with its labels as they stand there, in order. */
  samples: Map<string, number>
}

const name = '[a-zA-Z_:][a-zA-Z0-9_:]*'
const label = '[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\\\\n]|\\\\[\\\\"n])*"'
const helpLine = new RegExp(`^# HELP (${name}) ((?:[^\\\\]|\\\\[\\\\n])*)$`)
const typeLine = new RegExp(`^# TYPE (${name}) (counter|gauge|histogram|summary)$`)
const sampleLine = new RegExp(
  `^(${name})((?:\\{${label}(?:,${label})*\\})?) (NaN|[+-]Inf|-?\\d+(?:\\.\\d+)?(?:e[+-]?\\d+)?)$`,
)
const endings: Readonly<Record<string, readonly string[]>> = {
  counter: [''],
  gauge: [''],
  histogram: ['_bucket', '_sum', '_count'],
  summary: ['', '_sum', '_count'],
}

/** @throws an error that names the line that is wrong. */
export function readExposition(text: string): Map<string, Family> {
  if (!text.endsWith('\n')) throw new Error('the last line has no end')
  const families = new Map<string, Family>()
  let current: { name: string; family: Family } | undefined
  let help: RegExpExecArray | undefined
  for (const line of text.slice(0, -1).split('\n')) {
    const wrong = (why: string) => new Error(`${why}: ${line}`)
    if (line.startsWith('# HELP ')) {
      help = helpLine.exec(line) ?? undefined
      if (!help) throw wrong('no HELP')
    } else if (line.startsWith('# TYPE ')) {
      const [, of = '', type = ''] = typeLine.exec(line) ?? []
      if (of === '' || help?.[1] !== of) throw wrong('no TYPE of the HELP before')
      if (families.has(of)) throw wrong('told twice')
      current = { name: of, family: { type, help: help[2] ?? '', samples: new Map() } }
      families.set(of, current.family)
    } else {
      const [, of = '', labels = '', value = ''] = sampleLine.exec(line) ?? []
      if (of === '') throw wrong('no sample')
      const ending = current && endings[current.family.type]?.find((end) => of === current?.name + end)
      if (!current || ending === undefined) throw wrong('not of the TYPE before')
      if (current.family.samples.has(of + labels)) throw wrong('told twice')
      current.family.samples.set(of + labels, Number(value.replace('Inf', 'Infinity')))
    }
  }
  return families
}
