/** Resource limits for connections, the same for every door over TCP. */
export interface DoorLimits {
  /** Of all authenticated callers together. */
  readonly maxConnections: number
  /** Per token or certificate. Event streams count, and a token can have 64 sessions with one each. */
  readonly maxPerCaller: number
  /** Unauthenticated connections: an incomplete handshake or request, or a request without a token. */
  readonly maxStrangers: number
  /** For the TLS handshake. */
  readonly handshakeMs: number
  /** For the headers of a request. */
  readonly headersMs: number
  /** For the body of a request, from its first byte to its last. */
  readonly bodyMs: number
  /** Between two chunks of a body. */
  readonly bodyIdleMs: number
  /** For a client to read more of an answer. */
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

/** The limit for which a connection was refused or closed. */
export type LimitHit = 'strangers' | 'caller' | 'all' | 'headers' | 'body' | 'unread'
export type OnLimitHit = (limit: LimitHit) => void
