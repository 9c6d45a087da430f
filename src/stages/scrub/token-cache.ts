/** Caches the tokens of the sessions of this process: a conversation contains the same secrets in every turn. */

import type { Clock } from '../../core/ports.ts'
import type { Store } from '../../platform/storage/store.ts'
import { ownString } from '@contextd/shared/text/own-string'
import { assertSecretsFit, type FoundSecret } from '@contextd/scrub/internal/session-tokens'
import type { SecretStore } from './secret-store.ts'
import type { TokenNumbers } from './token-numbers.ts'

export interface TokenCacheOptions {
  readonly store: Store
  readonly clock: Clock
  readonly secrets: SecretStore
  readonly numbers: TokenNumbers
}

export interface TokenCache {
  tokensFor(session: string, found: readonly FoundSecret[]): string[]
  /** Which of the tokens were issued to this session, including those of forgotten secrets. */
  issued(session: string, tokens: readonly string[]): ReadonlySet<string>
  /** The sessions of this process in which tokens were explained to the agent. */
  readonly introductions: { has(session: string): boolean; add(session: string): void }
  endSession(session: string): void
}

interface IssuedToken {
  readonly token: string
  /** The secret it represents. */
  readonly id: string
  /** The state of the store when the secret was last seen to exist. */
  state: string
  /** When the secret was last marked as seen. */
  readonly checkedAt: number
}

interface CachedSession {
  readonly byValue: Map<string, IssuedToken>
  readonly issued: Set<string>
  /** Total length of the cached values. */
  kept: number
  isIntroduced: boolean
}

/** After this time, a secret is marked as seen again. */
const recheckMs = 60_000

export function createTokenCache({ store, clock, secrets, numbers }: TokenCacheOptions): TokenCache {
  const sessions = new Map<string, CachedSession>()

  const cacheOf = (session: string): CachedSession => {
    let cache = sessions.get(session)
    if (cache === undefined) {
      cache = { byValue: new Map(), issued: new Set(), kept: 0, isIntroduced: false }
      sessions.set(session, cache)
    }
    return cache
  }

  const register = (session: string, found: readonly FoundSecret[]): void => {
    const cache = cacheOf(session)
    const news = found.filter(({ value }) => !cache.byValue.has(value))
    const kept = news.reduce((sum, { value }) => sum + value.length, cache.kept)
    assertSecretsFit(kept)
    // Read before the secrets are entered: a later deletion then changes the state.
    const state = secrets.state()
    const { ids, tokens } = store.transaction(() => {
      const entered = found.map(secrets.enter)
      return { ids: entered, tokens: numbers.tokensOf(session, entered) }
    })
    cache.kept = kept
    const checkedAt = clock()
    for (const [index, { value }] of found.entries()) {
      cache.byValue.set(ownString(value), { token: tokens[index]!, id: ids[index]!, state, checkedAt })
    }
  }

  return {
    tokensFor(session, found) {
      const { byValue } = cacheOf(session)
      const since = clock() - recheckMs
      const state = secrets.state()
      const unverified = new Map<string, FoundSecret>()
      for (const one of found) {
        const issuedToken = byValue.get(one.value)
        if (issuedToken !== undefined && issuedToken.state !== state && secrets.has(issuedToken.id))
          issuedToken.state = state
        if (issuedToken?.state !== state || issuedToken.checkedAt < since) unverified.set(one.value, one)
      }
      if (unverified.size > 0) register(session, [...unverified.values()])
      return found.map(({ value }) => byValue.get(value)!.token)
    },
    issued(session, tokens) {
      const { issued } = cacheOf(session)
      const unverified = tokens.filter((token) => !issued.has(token))
      if (unverified.length > 0) {
        const secretIdOf = numbers.finder(session)
        for (const token of unverified) if (secretIdOf(token) !== undefined) issued.add(ownString(token))
      }
      return new Set(tokens.filter((token) => issued.has(token)))
    },
    introductions: {
      has: (session) => sessions.get(session)?.isIntroduced === true,
      add(session) {
        cacheOf(session).isIntroduced = true
      },
    },
    endSession: (session) => void sessions.delete(session),
  }
}
