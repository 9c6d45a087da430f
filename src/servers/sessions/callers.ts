/** Who calls the API, by which door. */

import type { Claims, Client, TraceContext } from '../../core/call.ts'

/** What a door knows of whoever calls. */
export interface ApiCaller {
  readonly claims: Claims
  readonly client: Client
  /** The session it says the call belongs to; its rolling one where absent. */
  readonly session?: string
  readonly trace?: TraceContext
}

/** What a caller says of itself with a call. Any JSON may stand there. */
export interface DeclaredCaller {
  readonly agent?: unknown
  readonly session?: unknown
  readonly trace?: TraceContext | undefined
}

/** The person of this machine, or the agent that is named: over a socket that only this user reaches, or in process. */
export function localCaller(client: Client, said: DeclaredCaller = {}): ApiCaller {
  return caller({ operator: true }, client, said)
}

/** Whoever showed a bearer token. */
export function tokenCaller(
  client: Client,
  token: NonNullable<Claims['token']>,
  said: DeclaredCaller = {},
): ApiCaller {
  return caller({ token: { id: token.id, agent: token.agent } }, client, said)
}

/** One of our certificates, as it was identified. */
export interface CallerCertificate {
  readonly kind: 'agent' | 'operator'
  readonly id: string
  readonly serial: string
}

const certificateMark = 'certificate '

/** What stands for a certificate where a token has its id. */
export function certificateId(serial: string): string {
  return `${certificateMark}${serial}`
}

/** The serial of the certificate behind such an id; undefined for the id of a token. */
export function serialIn(id: string): string | undefined {
  return id.startsWith(certificateMark) ? id.slice(certificateMark.length) : undefined
}

/** The certificate of an agent counts like a token. */
export function certificateToken({ kind, id, serial }: CallerCertificate): Claims['token'] {
  return kind === 'agent' ? { id: certificateId(serial), agent: id } : undefined
}

/** Whoever showed one of our certificates. */
export function certificateCaller(
  client: Client,
  certificate: CallerCertificate,
  said: DeclaredCaller = {},
): ApiCaller {
  const token = certificateToken(certificate)
  return caller(token === undefined ? { operator: true } : { token }, client, said)
}

/** Whose sessions a caller can use: those of the same token or certificate, or of this machine. */
export function ownerOf({ token }: Claims): string {
  return token === undefined ? 'operator' : `token ${token.id}`
}

/** Cannot be an agent id, so the identity stage refuses it, and the attempt is on record. */
const notAName = '(not a string)'

function caller(claims: Claims, client: Client, { agent, session, trace }: DeclaredCaller): ApiCaller {
  const declared = agent === undefined ? {} : { declared: typeof agent === 'string' ? agent : notAName }
  return {
    claims: { ...claims, ...declared },
    client,
    // What is no text is the id of no session.
    ...(session !== undefined && { session: typeof session === 'string' ? session : '' }),
    ...(trace !== undefined && { trace }),
  }
}
