/** Which proxy a request to a model provider goes through. Pure. */

import { ContextdError } from '../../core/errors/errors.ts'
import { isInBlock, parseAddress, parseBlock } from '../../tools/http/addresses.ts'
import { isLoopbackHost } from '../limits/http-guard.ts'

/** In order. Clients use the one for http also for https where it is the only one. */
const variables = ['https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY', 'http_proxy', 'HTTP_PROXY']

export interface ProxyChoice {
  /** The setting or variable that names the proxy. Its value may have credentials and is never shown. */
  readonly from: string
  /** Undefined where the value is no address of a proxy that we can use. */
  readonly url: URL | undefined
}

/**
 * `setting` is `model.proxy`: empty for the environment, `none`, or an address. NO_PROXY applies to all of them. The
 * result is undefined for a provider that is connected to directly.
 */
export function createProxyChoice(
  setting: string,
  env: NodeJS.ProcessEnv,
): (provider: URL) => ProxyChoice | undefined {
  const proxy = setting === 'none' ? undefined : readProxy(setting, env)
  if (proxy === undefined) return () => undefined
  const excepted = [env.no_proxy, env.NO_PROXY]
    .flatMap((list) => (list ?? '').toLowerCase().split(/[\s,]+/))
    .filter(Boolean)
  return (provider) => {
    const host = bareHost(provider)
    const port = provider.port || (provider.protocol === 'https:' ? '443' : '80')
    const isDirect = isLoopbackHost(host) || excepted.some((entry) => isCovered(host, port, entry))
    return isDirect ? undefined : proxy
  }
}

/** Without the brackets that an IPv6 address has in a URL. */
export function bareHost({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '')
}

function readProxy(setting: string, env: NodeJS.ProcessEnv): ProxyChoice | undefined {
  const from = setting === '' ? variables.find((name) => Boolean(env[name]?.trim())) : 'model.proxy'
  if (from === undefined) return undefined
  const value = setting === '' ? (env[from]?.trim() ?? '') : setting
  const address = value.includes('://') ? value : `http://${value}`
  const url = URL.canParse(address) ? new URL(address) : undefined
  return { from, url: url && /^https?:$/.test(url.protocol) && hasReadableCredentials(url) ? url : undefined }
}

function hasReadableCredentials({ username, password }: URL): boolean {
  try {
    decodeURIComponent(username + password)
    return true
  } catch {
    return false
  }
}

/** `*`, a name with everything below it, an address or a block of them; each but the first also with a port. */
function isCovered(host: string, port: string, entry: string): boolean {
  if (entry === '*') return true
  const [, name = entry, onlyPort = port] = /^(\[[^\]]*\]|[^:]*):(\d+)$/.exec(entry) ?? []
  if (onlyPort !== port) return false
  const plain = name.replace(/^\[|\]$/g, '').replace(/^\*?\./, '')
  if (plain === '') return false
  const address = parseAddress(host)
  if (address === undefined) return host === plain || host.endsWith(`.${plain}`)
  const block = parseBlock(plain)
  return block !== undefined && isInBlock(address, block)
}

/** As they are in the address, and as they are meant. */
export function passwordsIn({ url }: ProxyChoice): string[] {
  return url === undefined || url.password === '' ? [] : [url.password, decodeURIComponent(url.password)]
}

/** `why` must not contain credentials. */
export function proxyFailure(provider: string, why: string, cause?: unknown): ContextdError {
  const hint =
    'Check HTTPS_PROXY and NO_PROXY in the environment that the daemon was started with, or `model.proxy` in config.toml.'
  return new ContextdError('MODEL_UNREACHABLE', { provider, why, hint }, { cause })
}
