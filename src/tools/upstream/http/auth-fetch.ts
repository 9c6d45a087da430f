import type { Clock } from '../../../core/ports.ts'
import { abortWithin } from '../../../platform/abort-within.ts'
import { openFetch, RequestFailed, type HttpFetch } from './fetch.ts'

const maxAnswerBytes = 1 << 20
const timeoutMs = 30_000
const loopbackHosts = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * For requests to authorization servers. Sends none of the declared headers. The MCP server chooses the authorization
 * server, so TLS is required; only a server on this machine may name another one on this machine without TLS.
 */
export function openAuthFetch(serverUrl: string, clock: Clock): HttpFetch {
  const allowsPlain = loopbackHosts.has(new URL(serverUrl).hostname)
  const http = openFetch({ maxMessageBytes: maxAnswerBytes, clock })
  return {
    async fetch(target, init = {}) {
      const url = new URL(target)
      if (url.protocol !== 'https:' && !(allowsPlain && loopbackHosts.has(url.hostname))) {
        throw new RequestFailed(`its sign-in is at ${url.origin}, which is not encrypted`, false)
      }
      const signal = abortWithin(timeoutMs, ...(init.signal == null ? [] : [init.signal]))
      return http.fetch(url, { ...init, signal })
    },
    close: http.close,
  }
}
