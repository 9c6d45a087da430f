/**
 * Tokens that outlive the process: a resumed session gets the same numbers, stored text can be read by other
 * sessions, and known secrets are searched for everywhere.
 */

import { ContextdError } from '../../core/errors/errors.ts'
import type { Clock, LastingText } from '../../core/ports.ts'
import { removeDeadTokens } from '../../platform/storage/secret-tokens.ts'
import { isDistinctive } from '@contextd/scrub/internal/known-strength'
import { createArchivedText } from './archived-text.ts'
import {
  createSecretStore,
  type SecretChoice,
  type SecretRecord,
  type SecretStore,
  type SecretStoreOptions,
} from './secret-store.ts'
import {
  createSessionTokens,
  type FoundSecret,
  type SessionTokens,
} from '@contextd/scrub/internal/session-tokens'
import { createTokenCache, type TokenCache } from './token-cache.ts'
import { createTokenNumbers } from './token-numbers.ts'

export interface RegistryOptions extends SecretStoreOptions {
  /** Pseudo-sessions for text without a session, such as logs: their tokens stay in memory, and cannot be resolved. */
  readonly passing?: readonly string[]
}

export interface SecretRegistry
  extends SessionTokens, LastingText, Pick<TokenCache, 'issued' | 'introductions'> {
  /** The values of tokens that were issued to this session and are not forgotten. Reads the store each time. */
  valuesOf(session: string, tokens: Iterable<string>): ReadonlyMap<string, string>
  list(): SecretRecord[]
  /** Throws for a value that cannot be set, like `set`. */
  refusePlain(value: string): void
  /** Searches for a user's value from now on; returns its id. */
  set(name: string, value: string, days?: number): string
  /** The last value set under the name. */
  named(name: string): string | undefined
  forget(which: SecretChoice): number
  prune(): number
}

/** How often secrets of other processes are loaded. */
const newsEveryMs = 1000

export function createSecretRegistry(options: RegistryOptions): SecretRegistry {
  const { store, tenant, clock, keepMs } = options
  const secrets = createSecretStore(options)
  const numbers = createTokenNumbers(store, tenant, clock)
  const cache = createTokenCache({ store, clock, secrets, numbers })
  const inMemory = createSessionTokens()
  const passing = new Set(options.passing)
  const readNews = createNewsReader(secrets, clock)

  const valuesOf = (session: string, tokens: Iterable<string>): Map<string, string> => {
    const secretIdOf = numbers.finder(session)
    const values = new Map<string, string>()
    for (const token of tokens) {
      const id = secretIdOf(token)
      const secret = id === undefined ? undefined : secrets.open(id)
      if (secret !== undefined) values.set(token, secret.value)
    }
    return values
  }

  return {
    tokensFor: (session, found) => (passing.has(session) ? inMemory : cache).tokensFor(session, found),
    valueOf: (session, token) => valuesOf(session, [token]).get(token),
    valuesOf,
    issued: cache.issued,
    newlyKnown(session, all = false) {
      try {
        return readNews(all)
      } catch (error) {
        // The log must still work when the store cannot be read.
        if (passing.has(session)) return []
        throw error
      }
    },
    endSession(session) {
      cache.endSession(session)
      inMemory.endSession(session)
    },
    introductions: cache.introductions,
    ...createArchivedText(store, secrets, numbers),

    list: secrets.list,
    named: secrets.named,
    refusePlain,
    set(name, value, days) {
      refusePlain(value)
      return secrets.set(name, value, days)
    },
    forget: secrets.forget,
    prune: () => secrets.prune() + removeDeadTokens(store, tenant, clock() - keepMs),
  }
}

/** Reads values to search for, at most once per interval while there are no others in memory. */
function createNewsReader(secrets: SecretStore, clock: Clock): (all: boolean) => readonly FoundSecret[] {
  let readAt = -Infinity
  let isReading = false
  return (all) => {
    const now = clock()
    const isRecent = now - readAt < newsEveryMs && !secrets.hasMoreNews(all)
    // Reading may itself write to the log.
    if (isReading || isRecent) return []
    isReading = true
    try {
      const news = secrets.news(all)
      readAt = now
      return news
    } finally {
      isReading = false
    }
  }
}

function refusePlain(value: string): void {
  if (isDistinctive(value)) return
  const problem = 'the value is too short or too common to search for: it would match ordinary text'
  throw new ContextdError('USAGE', { problem, hint: 'Use a longer value, or one that is not a word.' })
}
