/** Counters in the text format of Prometheus. */
export interface Metrics {
  count(name: MetricName, labels: Readonly<Record<string, string>>): void
  render(gauges: Readonly<Record<string, number>>): string
}

const counters = {
  contextd_http_requests_total: 'HTTP requests by path and status.',
  contextd_calls_total: 'Calls through the pipeline by method and outcome.',
} as const
export type MetricName = keyof typeof counters

/** Label values come from fixed sets, so the number of series is bounded. */
export function createMetrics(): Metrics {
  const series = new Map<MetricName, Map<string, number>>()
  return {
    count(name, labels) {
      const values = series.get(name) ?? new Map<string, number>()
      series.set(name, values)
      const key = Object.entries(labels)
        .map(([label, value]) => `${label}="${value}"`)
        .join(',')
      values.set(key, (values.get(key) ?? 0) + 1)
    },
    render(gauges) {
      const lines: string[] = []
      for (const [name, help] of Object.entries(counters)) {
        lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} counter`)
        for (const [labels, value] of series.get(name as MetricName) ?? [])
          lines.push(`${name}{${labels}} ${value}`)
      }
      for (const [name, value] of Object.entries(gauges))
        lines.push(`# TYPE ${name} gauge`, `${name} ${value}`)
      return `${lines.join('\n')}\n`
    },
  }
}
