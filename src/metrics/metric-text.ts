// Metrics as text, in the Prometheus text format 0.0.4.

export const metricsMediaType = 'text/plain; version=0.0.4; charset=utf-8'

/** One number. For a histogram or summary, the suffix of its name says which part it is. */
export interface Sample {
  nameSuffix?: '_bucket' | '_sum' | '_count'
  labels?: Readonly<Record<string, string>>
  value: number
}

/** Numbers of one metric. */
export interface Metric {
  name: string
  type: 'counter' | 'gauge' | 'histogram' | 'summary'
  help: string
  samples: Iterable<Sample>
}

export function metricText({ name, type, help, samples }: Metric): string {
  const lines = [`# HELP ${name} ${escaped(help)}`, `# TYPE ${name} ${type}`]
  for (const { nameSuffix = '', labels = {}, value } of samples) {
    lines.push(`${name}${nameSuffix}${labelText(labels)} ${numberText(value)}`)
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

/** A number in the notation of Go. */
export function numberText(value: number): string {
  if (Math.abs(value) !== Infinity) return String(value)
  return value > 0 ? '+Inf' : '-Inf'
}
