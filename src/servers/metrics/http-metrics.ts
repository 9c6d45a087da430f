/** Counters, histograms and gauges in the text format of Prometheus (0.0.4), independent of their source. */

export type Labels = Readonly<Record<string, string>>

export interface Metrics {
  /** Increments a counter. */
  count(name: CounterName, labels?: Labels, amount?: number): void
  /** Adds a measurement in the unit of the histogram's name. */
  observe(name: HistogramName, labels: Labels, value: number): void
  /** Renders all metrics with current gauge values: one number, or one per set of labels. */
  render(gauges: Readonly<Partial<Record<GaugeName, number | readonly Sample[]>>>): string
}

export interface Sample {
  readonly labels: Labels
  readonly value: number
}

const counters = {
  contextd_http_requests_total: 'HTTP requests by path and status.',
  contextd_connections_dropped_total:
    'Connections that were refused or closed because of a limit, by door and limit.',
  contextd_calls_total: 'Calls through the pipeline by door, method, outcome and error code.',
  contextd_secrets_held_back_total: 'Secrets replaced in answers, by the class of the rule that found them.',
  contextd_answer_tokens_total: 'Tokens in answers to callers, by our count.',
  contextd_model_tokens_total: 'Tokens that model providers reported, by provider and kind.',
  contextd_sandbox_runs_total: 'Calls of tools that run commands, by tool.',
  contextd_audit_records_total: 'Audit records written since the start, by kind.',
  contextd_webhook_attempts_total: 'Attempts to deliver an event to a webhook, by result.',
} as const
const histograms = {
  contextd_call_duration_seconds: {
    help: 'How long calls took, from intent to outcome.',
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120],
  },
} as const
const gauges = {
  contextd_http_sessions: 'Open MCP sessions over HTTP.',
  contextd_sessions_open: 'Open sessions of all doors.',
  contextd_upstream_up: 'Whether an MCP server behind the gateway is available: 0 while it fails.',
  contextd_webhook_deliveries: 'Events in the queue of the webhooks, by state.',
} as const
export type CounterName = keyof typeof counters
export type HistogramName = keyof typeof histograms
export type GaugeName = keyof typeof gauges

/** Label values come from fixed sets. As a safeguard, further combinations share one series. */
const maxSeries = 500

interface Measured {
  readonly labels: Labels
  /** Number of measurements per bucket, and above the last one. */
  readonly counts: number[]
  sum: number
}

export function createMetrics(): Metrics {
  const counted = new Map<CounterName, Map<string, number>>()
  const measured = new Map<HistogramName, Map<string, Measured>>()
  return {
    count(name, labels = {}, amount = 1) {
      const series = entry(counted, name)
      const key = keyIn(series, labels)
      series.set(key, (series.get(key) ?? 0) + amount)
    },
    observe(name, labels, value) {
      const { buckets } = histograms[name]
      const series = entry(measured, name)
      const key = keyIn(series, labels)
      const known = series.get(key) ?? {
        labels: key === labelText(labels) ? labels : asOther(labels),
        counts: Array<number>(buckets.length + 1).fill(0),
        sum: 0,
      }
      series.set(key, known)
      const at = buckets.findIndex((bound) => value <= bound)
      known.counts[at === -1 ? buckets.length : at]! += 1
      known.sum += value
    },
    render(current) {
      const lines: string[] = []
      for (const [name, help] of Object.entries(counters) as [CounterName, string][]) {
        lines.push(...head(name, help, 'counter'), ...sorted(name, counted.get(name) ?? []))
      }
      for (const [name, { help, buckets }] of Object.entries(histograms) as [
        HistogramName,
        (typeof histograms)[HistogramName],
      ][]) {
        lines.push(...head(name, help, 'histogram'))
        const series = [...(measured.get(name) ?? [])].sort(([a], [b]) => (a < b ? -1 : 1))
        for (const [, one] of series) lines.push(...histogramLines(name, buckets, one))
      }
      for (const [name, help] of Object.entries(gauges) as [GaugeName, string][]) {
        const now = current[name]
        if (now === undefined) continue
        const samples = typeof now === 'number' ? [{ labels: {}, value: now }] : now
        const values = samples.map(({ labels, value }): [string, number] => [labelText(labels), value])
        lines.push(...head(name, help, 'gauge'), ...sorted(name, values))
      }
      return `${lines.join('\n')}\n`
    },
  }
}

function entry<N, S>(all: Map<N, Map<string, S>>, name: N): Map<string, S> {
  const series = all.get(name) ?? new Map<string, S>()
  all.set(name, series)
  return series
}

function keyIn(series: ReadonlyMap<string, unknown>, labels: Labels): string {
  const key = labelText(labels)
  return series.has(key) || series.size < maxSeries ? key : labelText(asOther(labels))
}

function asOther(labels: Labels): Labels {
  return Object.fromEntries(Object.keys(labels).map((name) => [name, 'other']))
}

function histogramLines(
  name: string,
  buckets: readonly number[],
  { labels, counts, sum }: Measured,
): string[] {
  let total = 0
  const lines = [...buckets, Infinity].map((bound, index) => {
    total += counts[index]!
    const le = bound === Infinity ? '+Inf' : String(bound)
    return line(`${name}_bucket`, labelText({ ...labels, le }), total)
  })
  const text = labelText(labels)
  return [...lines, line(`${name}_sum`, text, sum), line(`${name}_count`, text, total)]
}

function head(name: string, help: string, type: string): string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`]
}

function sorted(name: string, values: Iterable<readonly [string, number]>): string[] {
  return [...values].sort(([a], [b]) => (a < b ? -1 : 1)).map(([labels, value]) => line(name, labels, value))
}

function line(name: string, labels: string, value: number): string {
  return `${name}${labels === '' ? '' : `{${labels}}`} ${value}`
}

const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '"': '\\"', '\n': '\\n' }

function labelText(labels: Labels): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}="${value.replace(/[\\"\n]/g, (one) => escapes[one]!)}"`)
    .join(',')
}
