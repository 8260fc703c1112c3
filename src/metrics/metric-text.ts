// Metrics as text, in the Prometheus text format 0.0.4.

export const metricsMediaType = 'text/plain; version=0.0.4; charset=utf-8'

/** One number. Of a histogram or summary, the ending of its name says which of theirs it is. */
export interface Sample {
  ending?: '_bucket' | '_sum' | '_count'
  labels?: Readonly<Record<string, string>>
  value: number
}

/** Some numbers that are about the same. */
export interface Metric {
  name: string
  type: 'counter' | 'gauge' | 'histogram' | 'summary'
  help: string
  samples: Iterable<Sample>
}

export function metricText({ name, type, help, samples }: Metric): string {
  const lines = [`# HELP ${name} ${escaped(help)}`, `# TYPE ${name} ${type}`]
  for (const { ending = '', labels = {}, value } of samples) {
    lines.push(`${name}${ending}${labelText(labels)} ${numberText(value)}`)
  }
  return `${lines.join('\n')}\n`
}

function labelText(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(
    ([name, value]) => `${name}="${escaped(value).replaceAll('"', '\\"')}"`,
  )
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')
}

/** As Go reads it. */
export function numberText(value: number): string {
  if (Math.abs(value) !== Infinity) return String(value)
  return value > 0 ? '+Inf' : '-Inf'
}
