/** Connections to model providers, kept for the next request: direct ones, and tunnels through a proxy. */

import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'

import { bareHost, proxyFailure, type ProxyChoice } from './proxy.ts'
import type { ModelProvider } from './target.ts'

export interface Route {
  readonly agent: HttpAgent
  /** Name and port of the proxy on the way, without its credentials. */
  readonly proxy?: string
}

export interface ModelAgents {
  /** Throws MODEL_UNREACHABLE where the address of the proxy cannot be used. */
  routeTo(provider: ModelProvider): Promise<Route>
  close(): void
}

const options = { keepAlive: true, scheduling: 'lifo' } as const
/** Also where the environment we were started in says not to check certificates. */
const checked = { ...options, rejectUnauthorized: true } as const
/** How long a proxy may take to open a tunnel, and how long an unused tunnel is kept. */
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
      // There is one proxy at most: what differs by provider is whether it is used.
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

/** Loaded where there is a proxy: few need it, and a client waits for the daemon to start. */
async function openTunnels(proxy: URL): Promise<HttpAgent> {
  const { HttpsProxyAgent } = await import('hpagent')
  // The library looks an IPv6 address up with its brackets on.
  const proxyRequestOptions = { headers: {}, hostname: bareHost(proxy), rejectUnauthorized: true }
  return new HttpsProxyAgent({ ...checked, timeout: maxIdleTunnelMs, proxy, proxyRequestOptions })
}
