/** What connections may cost us, the same for every door that other programs reach over TCP. */
export interface DoorLimits {
  /** Of callers that have shown who they are, all together. */
  readonly maxConnections: number
  /** Of one token or certificate. Event streams count, and a token can have 64 sessions with one each. */
  readonly maxPerCaller: number
  /** Of those that have not: a handshake or a request that is not complete, or one without a token. */
  readonly maxStrangers: number
  /** For a TLS handshake. */
  readonly handshakeMs: number
  /** For the head of a request. */
  readonly headersMs: number
  /** For the body of a request, from its first byte to its last. */
  readonly bodyMs: number
  /** Between two pieces of a body. */
  readonly bodyIdleMs: number
  /** For a client to read some more of an answer. */
  readonly unreadMs: number
}

export const doorLimits: DoorLimits = {
  maxConnections: 1000,
  maxPerCaller: 256,
  maxStrangers: 256,
  handshakeMs: 10_000,
  headersMs: 15_000,
  bodyMs: 120_000,
  bodyIdleMs: 30_000,
  unreadMs: 60_000,
}

/** Which limit a connection was refused or closed for. */
export type LimitHit = 'strangers' | 'caller' | 'all' | 'headers' | 'body' | 'unread'
export type OnLimitHit = (limit: LimitHit) => void
