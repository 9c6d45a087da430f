import type { Clock } from '../../../core/ports.ts'
import { abortWithin } from '../../../platform/abort-within.ts'
import { openFetch, RequestFailed, type HttpFetch } from './fetch.ts'

const answerBytes = 1 << 20
const patienceMs = 30_000
const loopbackHosts = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * For talking to authorization servers. It carries none of the declared headers, and because a server says itself who
 * these are, nobody is talked to in the clear; only a server on this machine may name another one on it.
 */
export function openAuthFetch(serverUrl: string, clock: Clock): HttpFetch {
  const mayBePlain = loopbackHosts.has(new URL(serverUrl).hostname)
  const http = openFetch({ maxMessageBytes: answerBytes, clock })
  return {
    async fetch(target, init = {}) {
      const url = new URL(target)
      if (url.protocol !== 'https:' && !(mayBePlain && loopbackHosts.has(url.hostname))) {
        throw new RequestFailed(`its sign-in is at ${url.origin}, which is not encrypted`, false)
      }
      const signal = abortWithin(patienceMs, ...(init.signal == null ? [] : [init.signal]))
      return http.fetch(url, { ...init, signal })
    },
    close: http.close,
  }
}
