/** Chooses the proxy for requests to a model provider. Pure. */

import { ContextdError } from '../../core/errors/errors.ts'
import { isInBlock, parseAddress, parseBlock } from '../../tools/http/addresses.ts'
import { isLoopbackHost } from '../limits/http-guard.ts'

/** In order of precedence. Clients use the http proxy for https too if it is the only one. */
const variables = ['https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY', 'http_proxy', 'HTTP_PROXY']

export interface ProxyChoice {
  /** The setting or variable with the proxy's address. Its value may contain credentials and must not be shown. */
  readonly from: string
  /** Undefined if the value is not a usable proxy address. */
  readonly url: URL | undefined
}

/**
 * `setting` is `model.proxy`: empty for the environment, `none`, or an address. NO_PROXY applies to all of them.
 * Returns undefined for a provider that is connected to directly.
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

/** Without the brackets of an IPv6 address in a URL. */
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

/** `*`, a name including its subdomains, an address or a block of them; all except `*` also with a port. */
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

/** As in the address, and decoded. */
export function passwordsIn({ url }: ProxyChoice): string[] {
  return url === undefined || url.password === '' ? [] : [url.password, decodeURIComponent(url.password)]
}

/** `why` must not contain credentials. */
export function proxyFailure(provider: string, why: string, cause?: unknown): ContextdError {
  const hint =
    'Check HTTPS_PROXY and NO_PROXY in the environment that the daemon was started with, or `model.proxy` in config.toml.'
  return new ContextdError('MODEL_UNREACHABLE', { provider, why, hint }, { cause })
}
