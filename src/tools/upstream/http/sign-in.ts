/** Interactive sign-in: the browser redirects to us with a code, which is exchanged for tokens. */

import { auth } from '@modelcontextprotocol/client'

import { ContextdError } from '../../../core/errors/errors.ts'
import type { Clock } from '../../../core/ports.ts'
import { ServerError } from '../connection.ts'
import type { HttpTransport, UpstreamServer } from '../server.ts'
import { openAuthFetch } from './auth-fetch.ts'
import { openCallback } from './callback.ts'
import { abortWithin } from '../../../platform/abort-within.ts'
import { connectHttp } from './connect.ts'
import { expiry } from './saved-sign-in.ts'
import { newSignInDraft } from './sign-in-draft.ts'
import { SignInNeeded, type Challenge } from './sign-in-needed.ts'
import { joinScopes, type SignIns } from './sign-ins.ts'

export interface SignInParts {
  readonly name: string
  /** With its variables expanded. */
  readonly transport: HttpTransport
  readonly protocol: UpstreamServer['protocol']
  readonly signIns: SignIns
  readonly clock: Clock
  /** Shows the URL to the user. */
  readonly show: (url: URL) => void
  readonly signal: AbortSignal
}

/** For the user to sign in. */
const timeoutMs = 5 * 60_000
const challengeMs = 30_000
const challengeBytes = 1 << 20

/** Replaces an existing sign-in. Throws SERVER_UNAVAILABLE if it fails. */
export async function signIn(parts: SignInParts): Promise<void> {
  const { name, transport, signIns, clock, show } = parts
  const signal = abortWithin(timeoutMs, parts.signal)
  const callback = await openCallback()
  const http = openAuthFetch(transport.url, clock)
  try {
    const { scope: demanded, resourceMetadataUrl } = await challengeOf(parts)
    const scope = transport.oauth?.scope ?? joinScopes(demanded, signIns.find(name, transport.url)?.scope)
    const draft = newSignInDraft(transport, callback.url)
    const step = (answer: { authorizationCode?: string; iss?: string }): Promise<unknown> =>
      auth(draft.provider, {
        serverUrl: transport.url,
        ...(scope !== undefined && { scope }),
        ...(resourceMetadataUrl && { resourceMetadataUrl }),
        fetchFn: (url, init) => http.fetch(url, { ...init, signal }),
        ...answer,
      })
    await step({})
    show(draft.authorizationUrl())
    await step(codeIn(await callback.wait(draft.state, signal)))
    const { tokens, ...made } = draft.finish()
    const asked = scope !== undefined && { scope }
    signIns.save(name, transport.url, { ...made, tokens, ...asked, ...expiry(tokens.expires_in, clock) })
  } catch (error) {
    parts.signal.throwIfAborted()
    const why = signal.aborted
      ? `it was not completed within ${timeoutMs / 60_000} minutes`
      : messageOf(error)
    throw new ContextdError(
      'SERVER_UNAVAILABLE',
      { server: name, why: `the sign-in failed: ${why}` },
      { cause: error },
    )
  } finally {
    callback.close()
    http.close()
  }
}

/** Connects without credentials to get the server's challenge. Some servers only refuse requests, not the handshake. */
async function challengeOf({ name, transport, protocol, clock, signal }: SignInParts): Promise<Challenge> {
  const none: SignIns = { find: () => undefined, save: () => {}, want: () => {}, remove: () => false }
  const asking = abortWithin(challengeMs, signal)
  try {
    const connection = await connectHttp(
      transport,
      protocol,
      { name, signIns: none, clock },
      { onNotice: () => {}, signal: asking, maxMessageBytes: challengeBytes },
    )
    try {
      await connection.request('tools/list', {}, { signal: asking, asks: [] })
    } finally {
      await connection.close()
    }
    return {}
  } catch (error) {
    if (error instanceof SignInNeeded) return error.challenge
    if (error instanceof ServerError) return {}
    throw error
  }
}

/** The authorization code. Of an error, only its kind is shown: the rest is untrusted text. */
function codeIn(params: URLSearchParams): { authorizationCode: string; iss?: string } {
  const code = params.get('code')
  const iss = params.get('iss')
  if (code === null || code === '') {
    const kind = /^[a-z_]{1,40}$/.exec(params.get('error') ?? '')?.[0]
    throw new Error(kind === undefined ? 'the redirect contained no code' : `it was refused (${kind})`)
  }
  return { authorizationCode: code, ...(iss !== null && { iss }) }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
