/** Expands `${VAR}`, `${VAR:-default}` and `${secret:NAME}`. Errors never contain the values. */

import { resolve } from 'node:path'

import { ContextdError } from '../../../core/errors/errors.ts'
import type { HttpTransport, StdioTransport, UpstreamServer } from '../server.ts'
import { baseFolder } from './check-servers.ts'
import { isHttpUrl } from './server-schema.ts'

/** The project folder, for use in entries. */
export const projectVariable = 'CONTEXTD_PROJECT'

export interface VariableSources {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly secret: (name: string) => string | undefined
}

/**
 * The server with its variables expanded. Throws SERVER_UNAVAILABLE if a variable is not set, or if an expanded value is
 * invalid.
 */
export function resolveServer(server: UpstreamServer, sources: VariableSources): UpstreamServer {
  const { transport, missing } = expandTransport(server.transport, sources)
  const why = missing.length > 0 ? missing.join('; ') : transportProblem(transport)
  if (why !== undefined) throw new ContextdError('SERVER_UNAVAILABLE', { server: server.name, why })
  if (transport.kind !== 'stdio' || transport.cwd === undefined) return { ...server, transport }
  const folder = baseFolder({ path: server.file, role: server.role })
  return { ...server, transport: { ...transport, cwd: resolve(folder, transport.cwd) } }
}

/** Why the server cannot be started, one sentence for each missing value. */
export function missingIn({ transport }: UpstreamServer, sources: VariableSources): string[] {
  return expandTransport(transport, sources).missing
}

type Expand = (text: string) => string

function expandTransport(
  transport: StdioTransport | HttpTransport,
  sources: VariableSources,
): { transport: StdioTransport | HttpTransport; missing: string[] } {
  const missing = new Set<string>()
  const expand: Expand = (text) => expandText(text, sources, (what) => missing.add(what))
  const expanded = transport.kind === 'stdio' ? expandStdio(transport, expand) : expandHttp(transport, expand)
  return { transport: expanded, missing: [...missing] }
}

function expandStdio(transport: StdioTransport, expand: Expand): StdioTransport {
  return {
    ...transport,
    command: expand(transport.command),
    args: transport.args.map(expand),
    env: expandValues(transport.env, expand),
    ...(transport.cwd !== undefined && { cwd: expand(transport.cwd) }),
  }
}

function expandHttp(transport: HttpTransport, expand: Expand): HttpTransport {
  const { oauth } = transport
  return {
    ...transport,
    url: expand(transport.url),
    headers: expandValues(transport.headers, expand),
    ...(oauth !== undefined && {
      oauth: {
        clientId: expand(oauth.clientId),
        ...(oauth.clientSecret !== undefined && { clientSecret: expand(oauth.clientSecret) }),
        ...(oauth.scope !== undefined && { scope: expand(oauth.scope) }),
      },
    }),
  }
}

function expandValues(values: Readonly<Record<string, string>>, expand: Expand): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, expand(value)]))
}

/**
 * In this order: `$${`, an escaped `${`; a secret; a variable, optionally with a default, which contains no `${`; and any
 * other `${`, which is an error.
 */
const variables =
  /\$\$\{|\$\{(?:secret:([A-Za-z0-9_.-]{1,64})|([A-Za-z_][A-Za-z0-9_]*)(?::-((?:[^}$]|\$(?!\{))*))?)\}|\$\{/g

function expandText(
  text: string,
  { env, secret }: VariableSources,
  onMissing: (what: string) => void,
): string {
  return text.replace(variables, (found: string, secretName?: string, name?: string, fallback?: string) => {
    if (found === '$${') return '${'
    if (secretName !== undefined) {
      const value = secret(secretName)
      if (value === undefined)
        onMissing(`the secret ${secretName} is not set (ctxd secret set ${secretName})`)
      return value ?? ''
    }
    if (name === undefined) {
      // Not shown, because it may be a secret pasted in the wrong place.
      onMissing('it contains a ${…} that is neither ${NAME}, ${NAME:-default} nor ${secret:NAME}')
      return ''
    }
    const value = Object.hasOwn(env, name) ? env[name] : undefined
    // As in a shell, the default also replaces an empty value.
    if (fallback !== undefined) return value || fallback
    if (value === undefined) onMissing(`the variable ${name} is not set`)
    return value ?? ''
  })
}

/** Checked here, because programs and libraries would include the value in their error messages. */
function transportProblem(transport: StdioTransport | HttpTransport): string | undefined {
  if (transport.kind === 'stdio') {
    const texts = [transport.command, ...transport.args, transport.cwd ?? '', ...Object.values(transport.env)]
    if (texts.some((text) => text.includes('\0'))) return 'one of its variables contains a null byte'
    return transport.command === '' || transport.cwd === ''
      ? 'its command or cwd is empty after its variables are expanded'
      : undefined
  }
  if (!isHttpUrl(transport.url)) return 'its url is not an http:// or https:// URL'
  const bad = Object.entries(transport.headers).find(([, value]) => !/^[\t\x20-\x7e\x80-\xff]*$/.test(value))
  return bad && `its header ${bad[0]} contains characters that are not allowed in a header`
}
