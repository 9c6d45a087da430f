/** How a request ended, for the audit. */
export type FetchOutcome = 'answered' | ProblemKind

export type ProblemKind =
  | 'not_granted'
  | 'invalid'
  | 'unresolvable'
  | 'unreachable'
  | 'insecure'
  | 'broken'
  | 'timeout'
  | 'too_many_redirects'
  | 'cancelled'

/** The arguments of a request. */
export type RequestField = 'url' | 'method' | 'headers' | 'body'

/** A request without a response. The message explains why and repeats nothing of the request. */
export class FetchProblem extends Error {
  readonly kind: ProblemKind
  /** The invalid argument, if that is the reason. */
  readonly field?: RequestField
  /** The grant that would allow it. */
  readonly grant?: string

  constructor(
    kind: ProblemKind,
    message: string,
    options: { cause?: unknown; field?: RequestField; grant?: string | undefined } = {},
  ) {
    const { field, grant, ...rest } = options
    super(message, rest)
    this.name = 'FetchProblem'
    this.kind = kind
    if (field !== undefined) this.field = field
    if (grant !== undefined) this.grant = grant
  }
}

const connecting: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing accepts connections there',
  ECONNRESET: 'the connection was broken off',
  EHOSTUNREACH: 'the host cannot be reached from here',
  ENETUNREACH: 'the network cannot be reached from here',
  ETIMEDOUT: 'the host does not answer',
}

/** The connection could not be established. */
export function connectProblem(error: unknown): FetchProblem {
  return problem('unreachable', connecting[codeOf(error)] ?? 'no connection could be established', error)
}

const untrusted = 'the certificate of the server is not trusted here'
const securing: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'the certificate of the server has expired',
  CERT_NOT_YET_VALID: 'the certificate of the server is not valid yet',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate of the server is for another host',
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_GET_ISSUER_CERT: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
}

/** The connection was established, but TLS or the certificate check failed. */
export function tlsProblem(error: unknown): FetchProblem {
  return problem('insecure', securing[codeOf(error)] ?? 'no secure connection could be established', error)
}

/** The response did not arrive, or not completely. */
export function responseProblem(error: unknown): FetchProblem {
  const code = codeOf(error)
  const words =
    code === 'HPE_HEADER_OVERFLOW'
      ? 'the headers of the response are too large'
      : code.startsWith('HPE_')
        ? 'what came back is not HTTP'
        : /^(?:Z_|ERR_?_?BROTLI|ERR_PADDING|ERR_ZLIB)/i.test(code)
          ? 'the response cannot be decompressed'
          : 'the server broke the connection off'
  return problem('broken', words, error)
}

function problem(kind: ProblemKind, message: string, error: unknown): FetchProblem {
  return error instanceof FetchProblem ? error : new FetchProblem(kind, message, { cause: error })
}

function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' ? code : ''
}
