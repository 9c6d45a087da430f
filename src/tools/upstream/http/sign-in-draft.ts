import { randomBytes } from 'node:crypto'

import type {
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client'

import type { HttpTransport } from '../server.ts'
import type { SignIn } from './sign-ins.ts'

/** A sign-in in progress. Nothing is saved until it is complete. */
export interface SignInDraft {
  readonly provider: OAuthClientProvider
  /** The redirect must contain this value. */
  readonly state: string
  /** The URL where the user grants access. Throws if the server did not ask for authorization. */
  authorizationUrl(): URL
  /** Throws if there are no tokens. */
  finish(): SignIn
}

export function newSignInDraft({ oauth }: HttpTransport, redirectUrl: string): SignInDraft {
  const state = randomBytes(32).toString('base64url')
  let authorizationUrl: URL | undefined
  let verifier = ''
  let discovery: OAuthDiscoveryState | undefined
  let tokens: StoredOAuthTokens | undefined
  let client: StoredOAuthClientInformation | undefined = oauth && {
    client_id: oauth.clientId,
    ...(oauth.clientSecret !== undefined && { client_secret: oauth.clientSecret }),
  }
  const provider: OAuthClientProvider = {
    redirectUrl,
    clientMetadata: {
      client_name: 'contextd',
      redirect_uris: [redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      // A public client: it cannot keep a secret from its user. A server that requires one issues it on registration.
      token_endpoint_auth_method: 'none',
    },
    state: () => state,
    // A manually registered client is used with any authorization server.
    clientInformation: (to) => client && { ...(to && { issuer: to.issuer }), ...client },
    saveClientInformation(given) {
      client = given
    },
    tokens: () => tokens,
    saveTokens(given) {
      tokens = given
    },
    redirectToAuthorization(url) {
      authorizationUrl = url
    },
    saveCodeVerifier(given) {
      verifier = given
    },
    codeVerifier: () => verifier,
    saveDiscoveryState(given) {
      discovery = given
    },
    discoveryState: () => discovery,
  }
  return {
    provider,
    state,
    authorizationUrl() {
      if (authorizationUrl === undefined) throw new Error('the server did not ask for authorization')
      return authorizationUrl
    },
    finish() {
      if (client === undefined || tokens === undefined || discovery === undefined) {
        throw new Error('the server issued no tokens')
      }
      return { client, tokens, discovery }
    },
  }
}
