import { parseAddress, type Address } from './addresses.ts'

/** A normalised host: a name in lower case and ASCII without a trailing dot, or an address. */
export interface Host {
  /** For `Host:` and the certificate check; addresses without brackets. */
  readonly name: string
  readonly address?: Address
}

/** The target of a request. */
export interface RequestTarget {
  readonly secure: boolean
  readonly host: Host
  readonly port: number
  /** Path and query as sent. */
  readonly path: string
  /** The whole URL, normalised, without the fragment. */
  readonly url: string
}

const labels = /^(?=.{1,253}$)[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*$/

/**
 * Parses `EXAMPLE.com.`, `bücher.example`, `%6c%6fcalhost`, `0x7f.1`, `2130706433` and `[::1]` as browsers do, so that
 * the checked host and the connected host cannot differ.
 */
export function readHost(text: string): Host | undefined {
  if (/[\s\p{Cc}@/\\?#]/u.test(text) || (text.includes(':') && !/^\[[^[\]]*\]$/.test(text))) return undefined
  const address = `http://${text}/`
  return URL.canParse(address) ? hostOf(new URL(address)) : undefined
}

function hostOf({ hostname }: URL): Host | undefined {
  if (hostname.startsWith('[')) {
    const name = hostname.slice(1, -1)
    const address = parseAddress(name)
    return address && { name, address }
  }
  const name = hostname.replace(/\.$/, '')
  const address = parseAddress(name)
  if (address !== undefined) return { name, address }
  return labels.test(name) ? { name } : undefined
}

/** The target of a web URL, or the problem with it, which repeats none of it. */
export function readTarget(text: string): RequestTarget | string {
  if (/[\s\p{Cc}]/u.test(text)) return 'the URL contains spaces or control characters'
  if (!URL.canParse(text)) return 'this is not a complete URL'
  const url = new URL(text)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'only http and https are fetched'
  // Also `https://@host/`, whose user name is empty once parsed: such URLs are made to mislead.
  if (url.username !== '' || url.password !== '' || /^[a-z]+:[/\\]*[^/\\?#]*@/i.test(text)) {
    return 'a URL may not contain a user name or password; send an Authorization header'
  }
  const host = hostOf(url)
  if (host === undefined) return 'the host is not a valid name'
  const secure = url.protocol === 'https:'
  const port = url.port === '' ? (secure ? 443 : 80) : Number(url.port)
  if (port === 0) return 'port 0 is not valid'
  const path = url.pathname + url.search
  return { secure, host, port, path, url: `${url.protocol}//${hostHeader({ secure, host, port })}${path}` }
}

/** The `Host:` header, without a default port. */
export function hostHeader({ secure, host, port }: Pick<RequestTarget, 'secure' | 'host' | 'port'>): string {
  const name = host.address?.family === 6 ? `[${host.name}]` : host.name
  return port === (secure ? 443 : 80) ? name : `${name}:${port}`
}

/** `example.com:443` of a CONNECT request. */
export function readAuthority(text: string): { host: Host; port: number } | undefined {
  const [, name = '', port = ''] = /^(.+):([1-9]\d{0,4})$/.exec(text) ?? []
  const host = readHost(name)
  return host === undefined || Number(port) > 65_535 ? undefined : { host, port: Number(port) }
}

export function isSameOrigin(one: RequestTarget, other: RequestTarget): boolean {
  return one.secure === other.secure && one.port === other.port && one.host.name === other.host.name
}
