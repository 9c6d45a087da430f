/** Credentials for connections: tokens of an earlier sign-in, refreshed without user interaction if possible. */

import {
  extractWWWAuthenticateParams,
  refreshAuthorization,
  type AuthProvider,
} from '@modelcontextprotocol/client'

import type { Clock } from '../../../core/ports.ts'
import { ConnectionLost } from '../connection.ts'
import type { HttpTransport } from '../server.ts'
import { openAuthFetch } from './auth-fetch.ts'
import { SignInNeeded } from './sign-in-needed.ts'
import type { SignIn, SignIns } from './sign-ins.ts'

export interface SavedSignIn {
  /** Undefined if the declared headers include `authorization`. */
  readonly provider: AuthProvider | undefined
  /** Whether the declared headers seem to contain credentials. */
  readonly hasCredentials: boolean
  close(): void
}

/** Tokens that expire this soon are refreshed first. */
const marginMs = 30_000

const credentialHeader = /auth|cookie|key|secret|token/i

export function savedSignIn(parts: {
  readonly name: string
  readonly transport: HttpTransport
  readonly signIns: SignIns
  readonly clock: Clock
}): SavedSignIn {
  const { name, transport, signIns, clock } = parts
  const names = Object.keys(transport.headers)
  const hasCredentials = names.some((header) => credentialHeader.test(header))
  const http = openAuthFetch(transport.url, clock)
  let refreshing: Promise<string | undefined> | undefined

  /** Returns the new token; undefined if the user must sign in again. */
  const refresh = (signIn: SignIn): Promise<string | undefined> => {
    refreshing ??= refreshNow(signIn).finally(() => (refreshing = undefined))
    return refreshing
  }
  const refreshNow = async (signIn: SignIn): Promise<string | undefined> => {
    const { client, tokens, discovery } = signIn
    if (tokens.refresh_token === undefined) return undefined
    const { authorizationServerMetadata: metadata, resourceMetadata } = discovery
    try {
      const fresh = await refreshAuthorization(discovery.authorizationServerUrl, {
        ...(metadata && { metadata }),
        clientInformation: client,
        refreshToken: tokens.refresh_token,
        ...(resourceMetadata && { resource: new URL(resourceMetadata.resource) }),
        fetchFn: http.fetch,
      })
      // The response may omit unchanged fields, such as the refresh token.
      const kept = { ...tokens, ...fresh }
      signIns.save(name, transport.url, { ...signIn, tokens: kept, ...expiry(fresh.expires_in, clock) })
      return fresh.access_token
    } catch {
      // Another process may have refreshed first, which invalidates our refresh token.
      const now = signIns.find(name, transport.url)
      return now?.tokens.access_token === tokens.access_token ? undefined : now?.tokens.access_token
    }
  }

  const provider: AuthProvider = {
    async token() {
      const signIn = signIns.find(name, transport.url)
      if (signIn === undefined) return undefined
      const { tokens, expiresAt } = signIn
      const isExpiring = expiresAt !== undefined && expiresAt - marginMs <= clock()
      return (isExpiring ? await refresh(signIn) : undefined) ?? tokens.access_token
    },
    async onUnauthorized({ response }) {
      const signIn = signIns.find(name, transport.url)
      if (signIn !== undefined && (await refresh(signIn)) !== undefined) return
      if (hasCredentials && signIn === undefined) {
        throw new ConnectionLost('the credentials in its headers were refused', { sent: false })
      }
      const { scope, resourceMetadataUrl } = extractWWWAuthenticateParams(response)
      throw new SignInNeeded(name, {
        ...(scope !== undefined && { scope }),
        ...(resourceMetadataUrl && { resourceMetadataUrl }),
      })
    },
  }
  const isDeclared = names.some((header) => header.toLowerCase() === 'authorization')
  return { provider: isDeclared ? undefined : provider, hasCredentials, close: http.close }
}

/** `expires_in` of a token response as a time. */
export function expiry(expiresIn: number | undefined, clock: Clock): { expiresAt?: number } {
  return expiresIn === undefined ? {} : { expiresAt: clock() + expiresIn * 1000 }
}
