/** Connections to model providers, reused for later requests: direct ones, and tunnels through a proxy. */

import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'

import { bareHost, proxyFailure, type ProxyChoice } from './proxy.ts'
import type { ModelProvider } from './target.ts'

export interface Route {
  readonly agent: HttpAgent
  /** Host and port of the proxy, without its credentials. */
  readonly proxy?: string
}

export interface ModelAgents {
  /** Throws MODEL_UNREACHABLE if the proxy's address is invalid. */
  routeTo(provider: ModelProvider): Promise<Route>
  close(): void
}

const options = { keepAlive: true, scheduling: 'lifo' } as const
/** Certificates are verified even if our environment disables that. */
const checked = { ...options, rejectUnauthorized: true } as const
/** How long a proxy may take to open a tunnel, and how long an unused tunnel stays open. */
const maxIdleTunnelMs = 60_000

export function createModelAgents(proxyFor: (provider: URL) => ProxyChoice | undefined): ModelAgents {
  const http = new HttpAgent(options)
  const https = new HttpsAgent(checked)
  let tunnels: Promise<HttpAgent> | undefined
  return {
    async routeTo({ name, url }) {
      const proxy = proxyFor(url)
      if (proxy === undefined) return { agent: url.protocol === 'https:' ? https : http }
      if (proxy.url === undefined)
        throw proxyFailure(name, `${proxy.from} is not a valid http or https proxy address`)
      // There is at most one proxy; providers differ only in whether it is used.
      tunnels ??= openTunnels(proxy.url)
      return { agent: await tunnels, proxy: proxy.url.host }
    },
    close() {
      http.destroy()
      https.destroy()
      void tunnels?.then((agent) => agent.destroy())
    },
  }
}

/** Loaded only if there is a proxy: few users need it, and a client waits for the daemon to start. */
async function openTunnels(proxy: URL): Promise<HttpAgent> {
  const { HttpsProxyAgent } = await import('hpagent')
  // The library would look up an IPv6 address including its brackets.
  const proxyRequestOptions = { headers: {}, hostname: bareHost(proxy), rejectUnauthorized: true }
  return new HttpsProxyAgent({ ...checked, timeout: maxIdleTunnelMs, proxy, proxyRequestOptions })
}
