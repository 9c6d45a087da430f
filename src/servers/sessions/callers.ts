/** API callers, by door. */

import type { Claims, Client, TraceContext } from '../../core/call.ts'

/** What a door knows about the caller. */
export interface ApiCaller {
  readonly claims: Claims
  readonly client: Client
  /** The session named in the call; if absent, the caller's rolling one. */
  readonly session?: string
  readonly trace?: TraceContext
}

/** What a caller declares in a call. Any JSON value is possible. */
export interface DeclaredCaller {
  readonly agent?: unknown
  readonly session?: unknown
  readonly trace?: TraceContext | undefined
}

/** The operator of this machine, or the named agent: over a socket that only this user can open, or in process. */
export function localCaller(client: Client, declared: DeclaredCaller = {}): ApiCaller {
  return caller({ operator: true }, client, declared)
}

/** A caller with a bearer token. */
export function tokenCaller(
  client: Client,
  token: NonNullable<Claims['token']>,
  declared: DeclaredCaller = {},
): ApiCaller {
  return caller({ token: { id: token.id, agent: token.agent } }, client, declared)
}

/** One of our certificates, after verification. */
export interface CallerCertificate {
  readonly kind: 'agent' | 'operator'
  readonly id: string
  readonly serial: string
}

const certificateMark = 'certificate '

/** Takes the place of a token id for a certificate. */
export function certificateId(serial: string): string {
  return `${certificateMark}${serial}`
}

/** The serial of the certificate with such an id; undefined for a token's id. */
export function serialIn(id: string): string | undefined {
  return id.startsWith(certificateMark) ? id.slice(certificateMark.length) : undefined
}

/** An agent's certificate is treated like a token. */
export function certificateToken({ kind, id, serial }: CallerCertificate): Claims['token'] {
  return kind === 'agent' ? { id: certificateId(serial), agent: id } : undefined
}

/** A caller with one of our certificates. */
export function certificateCaller(
  client: Client,
  certificate: CallerCertificate,
  declared: DeclaredCaller = {},
): ApiCaller {
  const token = certificateToken(certificate)
  return caller(token === undefined ? { operator: true } : { token }, client, declared)
}

/** The owner of a caller's sessions: its token or certificate, or this machine's operator. */
export function ownerOf({ token }: Claims): string {
  return token === undefined ? 'operator' : `token ${token.id}`
}

/** Not a valid agent id, so the identity stage refuses it, and the attempt is recorded. */
const notAName = '(not a string)'

function caller(claims: Claims, client: Client, { agent, session, trace }: DeclaredCaller): ApiCaller {
  const declared = agent === undefined ? {} : { declared: typeof agent === 'string' ? agent : notAName }
  return {
    claims: { ...claims, ...declared },
    client,
    // A value that is not a string is no valid session id.
    ...(session !== undefined && { session: typeof session === 'string' ? session : '' }),
    ...(trace !== undefined && { trace }),
  }
}
