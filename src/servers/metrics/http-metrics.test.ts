import { expect, test } from 'vitest'

import { createMetrics } from './http-metrics.ts'

/** The lines of one metric. */
const about = (text: string, name: string): string[] =>
  text.split('\n').filter((line) => line.includes(name) && !line.startsWith('#'))

test('counts by label, in a format that Prometheus reads', () => {
  const metrics = createMetrics()
  metrics.count('contextd_http_requests_total', { path: '/mcp', status: '401' })
  metrics.count('contextd_http_requests_total', { path: '/mcp', status: '200' })
  metrics.count('contextd_http_requests_total', { path: '/mcp', status: '200' })
  metrics.count('contextd_answer_tokens_total', {}, 40)
  const text = metrics.render({ contextd_http_sessions: 2 })
  expect(text).toContain(`# HELP contextd_http_requests_total HTTP requests by path and status.
# TYPE contextd_http_requests_total counter
contextd_http_requests_total{path="/mcp",status="200"} 2
contextd_http_requests_total{path="/mcp",status="401"} 1
`)
  expect(text).toContain('\ncontextd_answer_tokens_total 40\n')
  expect(text).toMatch(
    /# HELP contextd_http_sessions .+\n# TYPE contextd_http_sessions gauge\ncontextd_http_sessions 2\n$/,
  )
})

test('prints valid lines, deterministically', () => {
  const metrics = createMetrics()
  metrics.count('contextd_calls_total', { door: 'http', method: 'tool', outcome: 'answered', error: '' })
  metrics.observe('contextd_call_duration_seconds', { door: 'http', method: 'tool' }, 0.2)
  const gauges = {
    contextd_upstream_up: [
      { labels: { server: 'b' }, value: 0 },
      { labels: { server: 'a' }, value: 1 },
    ],
  }
  const text = metrics.render(gauges)
  expect(metrics.render(gauges)).toBe(text)
  for (const line of text.trimEnd().split('\n')) {
    expect(line).toMatch(
      /^(?:# (?:HELP|TYPE) [a-z_]+ .+|[a-z_]+(?:\{[a-z]+="[^"\n]*"(?:,[a-z]+="[^"\n]*")*\})? (?:\d+(?:\.\d+)?|\+Inf))$/,
    )
  }
  expect(about(text, 'contextd_upstream_up')).toEqual([
    'contextd_upstream_up{server="a"} 1',
    'contextd_upstream_up{server="b"} 0',
  ])
})

test('a histogram has cumulative buckets, a count and a sum', () => {
  const metrics = createMetrics()
  for (const seconds of [0.005, 0.3, 0.3, 500]) {
    metrics.observe('contextd_call_duration_seconds', { door: 'cli', method: 'tool' }, seconds)
  }
  const lines = about(metrics.render({}), 'contextd_call_duration_seconds')
  const valueOf = (le: string): string | undefined =>
    lines
      .find((line) => line.includes(`le="${le}"`))
      ?.split(' ')
      .at(-1)
  expect(['0.005', '0.25', '0.5', '120', '+Inf'].map(valueOf)).toEqual(['1', '1', '3', '3', '4'])
  expect(lines.slice(-2)).toEqual([
    'contextd_call_duration_seconds_sum{door="cli",method="tool"} 500.605',
    'contextd_call_duration_seconds_count{door="cli",method="tool"} 4',
  ])
})

test('escapes line breaks and quotes in labels', () => {
  const server = 'a"} 1\nevil{x="\\'
  const text = createMetrics().render({ contextd_upstream_up: [{ labels: { server }, value: 1 }] })
  expect(about(text, 'contextd_upstream_up')).toEqual([
    String.raw`contextd_upstream_up{server="a\"} 1\nevil{x=\"\\"} 1`,
  ])
})

test('limits the number of series', () => {
  const metrics = createMetrics()
  for (let n = 0; n < 2000; n += 1) {
    metrics.count('contextd_http_requests_total', { path: `/${n}`, status: '200' })
  }
  const lines = about(metrics.render({}), 'contextd_http_requests_total')
  expect(lines.length).toBe(501)
  expect(lines).toContain('contextd_http_requests_total{path="other",status="other"} 1500')
})
