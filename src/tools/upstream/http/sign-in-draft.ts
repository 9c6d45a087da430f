import { randomBytes } from 'node:crypto'

import type {
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client'

import type { HttpTransport } from '../server.ts'
import type { SignIn } from './sign-ins.ts'

/** A sign-in that is under way. Nothing of it is kept until it is whole. */
export interface SignInDraft {
  readonly provider: OAuthClientProvider
  /** What the browser must bring back. */
  readonly state: string
  /** Where the person says yes. Throws where it came to no question. */
  address(): URL
  /** Throws where there are no tokens. */
  finish(): SignIn
}

export function newSignInDraft({ oauth }: HttpTransport, redirectUrl: string): SignInDraft {
  const state = randomBytes(32).toString('base64url')
  let address: URL | undefined
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
      // A program on someone's machine keeps no secret from them; a server that wants one gives it.
      token_endpoint_auth_method: 'none',
    },
    state: () => state,
    // One that was registered by hand counts with whoever the server sends us to.
    clientInformation: (to) => client && { ...(to && { issuer: to.issuer }), ...client },
    saveClientInformation(given) {
      client = given
    },
    tokens: () => tokens,
    saveTokens(given) {
      tokens = given
    },
    redirectToAuthorization(url) {
      address = url
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
    address() {
      if (address === undefined) throw new Error('the server wants nothing to be signed')
      return address
    },
    finish() {
      if (client === undefined || tokens === undefined || discovery === undefined) {
        throw new Error('the server gave no tokens')
      }
      return { client, tokens, discovery }
    },
  }
}
