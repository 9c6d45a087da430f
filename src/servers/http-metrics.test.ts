import { expect, test } from 'vitest'

import { createMetrics } from './http-metrics.ts'

test('counts by label and prints what Prometheus reads', () => {
  const metrics = createMetrics()
  metrics.count('contextd_http_requests_total', { path: '/mcp', status: '200' })
  metrics.count('contextd_http_requests_total', { path: '/mcp', status: '200' })
  metrics.count('contextd_http_requests_total', { path: '/mcp', status: '401' })
  expect(metrics.render({ contextd_http_sessions: 2 }))
    .toBe(`# HELP contextd_http_requests_total HTTP requests by path and status.
# TYPE contextd_http_requests_total counter
contextd_http_requests_total{path="/mcp",status="200"} 2
contextd_http_requests_total{path="/mcp",status="401"} 1
# HELP contextd_calls_total Calls through the pipeline by method and outcome.
# TYPE contextd_calls_total counter
# TYPE contextd_http_sessions gauge
contextd_http_sessions 2
`)
})
