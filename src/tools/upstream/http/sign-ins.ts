/** What servers let us sign in with: encrypted, for one server at one origin. */

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
  /** Where the tokens come from. */
  readonly discovery: OAuthDiscoveryState
  /** Epoch milliseconds; absent where the server does not say. */
  readonly expiresAt?: number
  /** What was asked for, and what calls were refused for since: the next sign-in asks for all of it. */
  readonly scope?: string
}

export interface SignIns {
  /** Only for the origin that it was made for. */
  find(server: string, url: string): SignIn | undefined
  save(server: string, url: string, signIn: SignIn): void
  /** Takes down a scope that the sign-in lacks. */
  want(server: string, url: string, scope: string): void
  /** Answers whether there was one. */
  remove(server: string): boolean
}

export function createSignIns(store: Store, keyFile: string, tenant: string, clock: Clock): SignIns {
  const rows = store.rows('sign_ins', { tenant })
  // What another address has in the file cannot even be opened.
  const placeOf = (server: string, url: string): string[] => ['sign_ins', tenant, server, new URL(url).origin]

  const find: SignIns['find'] = (server, url) => {
    const row = rows.first({ server })
    const key = row && readKey(keyFile)
    if (row === undefined || key === undefined) return undefined
    const sealed = { nonce: row.nonce as Uint8Array, body: row.body as Uint8Array }
    let bytes: Buffer
    try {
      bytes = unseal(key, sealed, placeOf(server, url))
    } catch {
      return undefined
    }
    return JSON.parse(bytes.toString()) as SignIn
  }
  const save: SignIns['save'] = (server, url, signIn) => {
    const bytes = Buffer.from(JSON.stringify(signIn))
    const { nonce, body } = seal(loadOrCreateKey(keyFile), bytes, placeOf(server, url))
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

/** Each scope once; undefined where there is none. */
export function joinScopes(...scopes: readonly (string | undefined)[]): string | undefined {
  const words = new Set(scopes.flatMap((scope) => scope?.split(/\s+/).filter(Boolean) ?? []))
  return words.size === 0 ? undefined : [...words].join(' ')
}
