/** Saved sign-ins, encrypted, each valid for one server at one origin. */

import type {
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client'

import type { Clock } from '../../../core/ports.ts'
import { loadOrCreateKey, readKey } from '../../../platform/secrets/keys.ts'
import { seal, unseal } from '../../../platform/secrets/sealing.ts'
import type { Store } from '../../../platform/storage/store.ts'

export interface SignIn {
  readonly client: StoredOAuthClientInformation
  readonly tokens: StoredOAuthTokens
  /** The authorization server. */
  readonly discovery: OAuthDiscoveryState
  /** Epoch milliseconds; absent if the server does not report it. */
  readonly expiresAt?: number
  /** The scopes requested, and those that calls lacked since: the next sign-in requests all of them. */
  readonly scope?: string
}

export interface SignIns {
  /** Returns the sign-in only for its origin. */
  find(server: string, url: string): SignIn | undefined
  save(server: string, url: string, signIn: SignIn): void
  /** Saves a scope that the sign-in lacks. */
  want(server: string, url: string, scope: string): void
  /** Returns whether there was one. */
  remove(server: string): boolean
}

export function createSignIns(store: Store, keyFile: string, tenant: string, clock: Clock): SignIns {
  const rows = store.rows('sign_ins', { tenant })
  // Authenticated with the ciphertext, so that a row of another server or origin cannot be decrypted.
  const contextOf = (server: string, url: string): string[] => [
    'sign_ins',
    tenant,
    server,
    new URL(url).origin,
  ]

  const find: SignIns['find'] = (server, url) => {
    const row = rows.first({ server })
    const key = row && readKey(keyFile)
    if (row === undefined || key === undefined) return undefined
    const sealed = { nonce: row.nonce as Uint8Array, body: row.body as Uint8Array }
    let bytes: Buffer
    try {
      bytes = unseal(key, sealed, contextOf(server, url))
    } catch {
      return undefined
    }
    return JSON.parse(bytes.toString()) as SignIn
  }
  const save: SignIns['save'] = (server, url, signIn) => {
    const bytes = Buffer.from(JSON.stringify(signIn))
    const { nonce, body } = seal(loadOrCreateKey(keyFile), bytes, contextOf(server, url))
    rows.put({ server, nonce, body, changed_at: clock() })
  }

  return {
    find,
    save,
    want(server, url, scope) {
      const signIn = find(server, url)
      if (signIn !== undefined) save(server, url, { ...signIn, scope: joinScopes(signIn.scope, scope)! })
    },
    remove: (server) => rows.remove({ server }) > 0,
  }
}

/** Each scope once; undefined if missing. */
export function joinScopes(...scopes: readonly (string | undefined)[]): string | undefined {
  const words = new Set(scopes.flatMap((scope) => scope?.split(/\s+/).filter(Boolean) ?? []))
  return words.size === 0 ? undefined : [...words].join(' ')
}
