/** Fills in `${VAR}`, `${VAR:-default}` and `${secret:NAME}`. No value of them ever stands in an error. */

import { resolve } from 'node:path'

import { ContextdError } from '../../../core/errors/errors.ts'
import type { HttpTransport, StdioTransport, UpstreamServer } from '../server.ts'
import { baseFolder } from './check-servers.ts'
import { isHttpUrl } from './server-schema.ts'

/** The folder that calls are about, for entries that want to name it. */
export const projectVariable = 'CONTEXTD_PROJECT'

export interface VariableSources {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly secret: (name: string) => string | undefined
}

/**
 * The server as it is to be started now. Throws SERVER_UNAVAILABLE where something in it is not set, or cannot stand
 * where it would have to.
 */
export function resolveServer(server: UpstreamServer, sources: VariableSources): UpstreamServer {
  const { transport, missing } = fillTransport(server.transport, sources)
  const why = missing.length > 0 ? missing.join('; ') : transportProblem(transport)
  if (why !== undefined) throw new ContextdError('SERVER_UNAVAILABLE', { server: server.name, why })
  if (transport.kind !== 'stdio' || transport.cwd === undefined) return { ...server, transport }
  const folder = baseFolder({ path: server.file, role: server.role })
  return { ...server, transport: { ...transport, cwd: resolve(folder, transport.cwd) } }
}

/** What the server lacks to be started, a sentence each. */
export function missingIn({ transport }: UpstreamServer, sources: VariableSources): string[] {
  return fillTransport(transport, sources).missing
}

type Fill = (text: string) => string

function fillTransport(
  transport: StdioTransport | HttpTransport,
  sources: VariableSources,
): { transport: StdioTransport | HttpTransport; missing: string[] } {
  const missing = new Set<string>()
  const fill: Fill = (text) => fillText(text, sources, (what) => missing.add(what))
  const filled = transport.kind === 'stdio' ? fillStdio(transport, fill) : fillHttp(transport, fill)
  return { transport: filled, missing: [...missing] }
}

function fillStdio(transport: StdioTransport, fill: Fill): StdioTransport {
  return {
    ...transport,
    command: fill(transport.command),
    args: transport.args.map(fill),
    env: fillValues(transport.env, fill),
    ...(transport.cwd !== undefined && { cwd: fill(transport.cwd) }),
  }
}

function fillHttp(transport: HttpTransport, fill: Fill): HttpTransport {
  const { oauth } = transport
  return {
    ...transport,
    url: fill(transport.url),
    headers: fillValues(transport.headers, fill),
    ...(oauth !== undefined && {
      oauth: {
        clientId: fill(oauth.clientId),
        ...(oauth.clientSecret !== undefined && { clientSecret: fill(oauth.clientSecret) }),
        ...(oauth.scope !== undefined && { scope: fill(oauth.scope) }),
      },
    }),
  }
}

function fillValues(values: Readonly<Record<string, string>>, fill: Fill): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, fill(value)]))
}

/**
 * `$${` is a plain `${`; then a secret, then a variable with or without a default, which holds no `${` of its own;
 * then what is none of them.
 */
const variables =
  /\$\$\{|\$\{(?:secret:([A-Za-z0-9_.-]{1,64})|([A-Za-z_][A-Za-z0-9_]*)(?::-((?:[^}$]|\$(?!\{))*))?)\}|\$\{/g

function fillText(text: string, { env, secret }: VariableSources, onMissing: (what: string) => void): string {
  return text.replace(variables, (found: string, secretName?: string, name?: string, fallback?: string) => {
    if (found === '$${') return '${'
    if (secretName !== undefined) {
      const value = secret(secretName)
      if (value === undefined)
        onMissing(`the secret ${secretName} is not set (ctxd secret set ${secretName})`)
      return value ?? ''
    }
    if (name === undefined) {
      // What stands there may be a value that was pasted in the wrong place, so it is not shown.
      onMissing('it holds a ${…} that is neither ${NAME}, ${NAME:-default} nor ${secret:NAME}')
      return ''
    }
    const value = Object.hasOwn(env, name) ? env[name] : undefined
    // As in a shell, a default also stands in for a variable that is set to nothing.
    if (fallback !== undefined) return value || fallback
    if (value === undefined) onMissing(`the variable ${name} is not set`)
    return value ?? ''
  })
}

/** Checked here, because the programs and libraries further on name the value when they refuse it. */
function transportProblem(transport: StdioTransport | HttpTransport): string | undefined {
  if (transport.kind === 'stdio') {
    const texts = [transport.command, ...transport.args, transport.cwd ?? '', ...Object.values(transport.env)]
    if (texts.some((text) => text.includes('\0'))) return 'one of its variables holds a zero byte'
    return transport.command === '' || transport.cwd === ''
      ? 'its variables leave nothing to start'
      : undefined
  }
  if (!isHttpUrl(transport.url)) return 'its url is no http:// or https:// address'
  const bad = Object.entries(transport.headers).find(([, value]) => !/^[\t\x20-\x7e\x80-\xff]*$/.test(value))
  return bad && `its header ${bad[0]} holds characters that a header cannot have`
}
