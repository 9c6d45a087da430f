/** Whether a client's environment routes its requests through the model door. Pure. */

import { readDoorUrl, type LocalDoor } from '../model-door/door-url.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** `other-url` comes from foreign settings; `port` and `key` from outdated ones. */
export type Bypass =
  | { readonly kind: 'no-url' | 'other-url' | 'port' | 'key'; readonly variable: 'ANTHROPIC_BASE_URL' }
  | { readonly kind: 'provider' | 'proxy'; readonly variable: string }

/** With any of these set, the client uses another API and ignores the base URL. */
const otherProvider =
  /^(?:CLAUDE_CODE_USE_(?:BEDROCK|VERTEX|FOUNDRY|MANTLE|GATEWAY|ANTHROPIC_\w+)|ANTHROPIC_UNIX_SOCKET)$/
const off = /^(?:|0|false|no|off)$/i
/** The client uses any of these for every request, including plain-text ones to this machine. */
const proxies = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY']
const direct: ReadonlySet<string> = new Set(['*', '127.0.0.1', '127.0.0.0/8'])

/** The variable that makes the client use a provider with a different API. */
export function providerVariable(env: Environment): string | undefined {
  return Object.keys(env).find((name) => otherProvider.test(name) && !off.test(env[name]?.trim() ?? ''))
}

/**
 * Which variable lists hosts that bypass the proxy. If both are set, the client uses the lowercase one; other
 * programs differ.
 */
export function exceptionsVariable(env: Environment): 'no_proxy' | 'NO_PROXY' {
  return env.no_proxy ? 'no_proxy' : 'NO_PROXY'
}

/** The proxy that would receive requests to this machine. */
export function proxyVariable(env: Environment): string | undefined {
  const excepted = env[exceptionsVariable(env)]?.split(/[\s,]+/) ?? []
  if (excepted.some((host) => direct.has(host))) return undefined
  return proxies.flatMap((name) => [name, name.toLowerCase()]).find((name) => Boolean(env[name]))
}

/** Undefined if every request goes through the door. */
export function findBypass(env: Environment, door: LocalDoor): Bypass | undefined {
  const provider = providerVariable(env)
  if (provider !== undefined) return { kind: 'provider', variable: provider }
  const url = env.ANTHROPIC_BASE_URL
  const variable = 'ANTHROPIC_BASE_URL'
  if (!url) return { kind: 'no-url', variable }
  const named = readDoorUrl(url)
  if (named === undefined) return { kind: 'other-url', variable }
  if (named.port !== door.port) return { kind: 'port', variable }
  if (!door.isKey(named.key)) return { kind: 'key', variable }
  const proxy = proxyVariable(env)
  return proxy === undefined ? undefined : { kind: 'proxy', variable: proxy }
}

/** The problem and its fix, for the user and for the model. */
export function describeBypass({ kind, variable }: Bypass): string {
  switch (kind) {
    case 'no-url':
      return `this client does not send its requests through contextd's model door (${variable} is not set). Run \`ctxd init\` in this project and restart the client.`
    case 'other-url':
      return `${variable} bypasses contextd's model door, so secrets would reach the model. Remove it from the settings of this project or from the environment, then run \`ctxd init\`; your own gateway goes behind the door.`
    case 'port':
      return `${variable} has a different port than contextd's http.port. Run \`ctxd init\` and restart the client.`
    case 'key':
      return `${variable} has a key that is revoked or unknown to contextd's model door. Run \`ctxd init\` and restart the client.`
    case 'provider':
      return `${variable} makes the client use an API that contextd's model door does not support. Remove it, or run \`ctxd init --no-door\` to have tool output scrubbed by hooks instead.`
    case 'proxy':
      return `${variable} would send requests for contextd's model door to that proxy first, unscrubbed. Add 127.0.0.1 to NO_PROXY, and to no_proxy if set, and restart the client.`
  }
}
