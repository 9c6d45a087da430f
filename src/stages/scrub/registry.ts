/**
 * Tokens that outlive the process: a resumed session gets the same numbers, stored text can be read by other
 * sessions, and known secrets are searched for everywhere.
 */

import { ContextdError } from '../../core/errors/errors.ts'
import type { LastingText } from '../../core/ports.ts'
import { removeDeadTokens } from '../../platform/storage/secret-tokens.ts'
import { isDistinctive } from '@contextd/scrub/internal/known-strength'
import {
  createSecretStore,
  type SecretChoice,
  type SecretRecord,
  type SecretStoreOptions,
} from './secret-store.ts'
import { ownString } from '@contextd/shared/text/own-string'
import {
  createSessionTokens,
  assertSecretsFit,
  tokenOf,
  tokenPattern,
  type FoundSecret,
  type SessionTokens,
} from '@contextd/scrub/internal/session-tokens'

export interface RegistryOptions extends SecretStoreOptions {
  /** Pseudo-sessions for text without a session, such as logs: their tokens stay in memory, and cannot be resolved. */
  readonly passing?: readonly string[]
}

export interface SecretRegistry extends SessionTokens, LastingText {
  /** The values of tokens that were issued to this session and are not forgotten. Reads the store each time. */
  valuesOf(session: string, tokens: Iterable<string>): ReadonlyMap<string, string>
  /** Which of the tokens were issued to this session, including those of forgotten secrets. */
  issued(session: string, tokens: readonly string[]): ReadonlySet<string>
  /** The sessions of this process in which tokens were explained to the agent. */
  readonly introductions: { has(session: string): boolean; add(session: string): void }
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

interface IssuedToken {
  readonly token: string
  /** The secret it represents. */
  readonly id: string
  /** The state of the store when the secret was last seen to exist. */
  state: string
  /** When the secret was last marked as seen. */
  readonly checkedAt: number
}

interface SessionCache {
  readonly byValue: Map<string, IssuedToken>
  /** Cached tokens of the session: a conversation contains the same ones in every turn. */
  readonly issued: Set<string>
  kept: number
  isIntroduced: boolean
}

/** After this time, a secret is marked as seen again. */
const recheckMs = 60_000
/** How often secrets of other processes are loaded. */
const newsEveryMs = 1000

export function createSecretRegistry(options: RegistryOptions): SecretRegistry {
  const { store, tenant, clock, keepMs } = options
  const secrets = createSecretStore(options)
  const inMemory = createSessionTokens()
  const passing = new Set(options.passing)
  const sessions = new Map<string, SessionCache>()
  let newsAt = -Infinity
  let isLoadingNews = false
  /** How often this process has deleted secrets. */
  let removals = 0

  /** Changes whenever another process writes to the file, or this process deletes secrets. */
  const stateOfStore = (): string => `${store.foreignWrites()} ${removals}`

  const isKept = (id: string): boolean => {
    const row = store.rows('secrets', { tenant }).first({ id })
    return row !== undefined && (row.expires_at === null || Number(row.expires_at) > clock())
  }
  const countRemoval = (remove: () => number): number => {
    removals++
    return remove()
  }

  const cacheOf = (session: string): SessionCache => {
    let cache = sessions.get(session)
    if (cache === undefined) {
      cache = { byValue: new Map(), issued: new Set(), kept: 0, isIntroduced: false }
      sessions.set(session, cache)
    }
    return cache
  }
  const tokenRows = (session: string) => store.rows('secret_tokens', { tenant, session })

  const highestOf = (session: string): number =>
    Number(tokenRows(session).first({}, { orderBy: 'n', descending: true })?.n ?? 0)

  /**
   * The session's tokens for these secrets, created if missing. Must run in a transaction, so that no number is
   * issued twice.
   */
  const tokensOfIds = (session: string, ids: readonly string[]): string[] => {
    const rows = tokenRows(session)
    let highest: number | undefined
    return ids.map((secret) => {
      const issuedToken = rows.first({ secret })
      if (issuedToken !== undefined) return tokenOf(Number(issuedToken.n))
      highest ??= highestOf(session)
      highest += 1
      rows.insert({ n: highest, secret, created_at: clock() })
      return tokenOf(highest)
    })
  }

  const register = (session: string, found: readonly FoundSecret[]): void => {
    const cache = cacheOf(session)
    const news = found.filter(({ value }) => !cache.byValue.has(value))
    const kept = news.reduce((sum, { value }) => sum + value.length, cache.kept)
    assertSecretsFit(kept)
    // Read before the secrets are entered: a later deletion then changes the state.
    const state = stateOfStore()
    const { ids, tokens } = store.transaction(() => {
      const entered = found.map(secrets.enter)
      return { ids: entered, tokens: tokensOfIds(session, entered) }
    })
    cache.kept = kept
    const checkedAt = clock()
    for (const [index, { value }] of found.entries()) {
      cache.byValue.set(ownString(value), { token: tokens[index]!, id: ids[index]!, state, checkedAt })
    }
  }

  /** Finds the secret of a token issued to the session, even if it is forgotten. */
  const secretIdFinder = (session: string): ((token: string) => string | undefined) => {
    const rows = tokenRows(session)
    // A text may be full of lookalike tokens, which must not cost a read each.
    const highest = highestOf(session)
    return (token) => {
      const n = Number(token.slice('[SECRET_'.length, -1))
      if (!(n <= highest) || tokenOf(n) !== token) return undefined
      return rows.first({ n })?.secret as string | undefined
    }
  }

  const valuesOf = (session: string, tokens: Iterable<string>): Map<string, string> => {
    const secretIdOf = secretIdFinder(session)
    const values = new Map<string, string>()
    for (const token of tokens) {
      const id = secretIdOf(token)
      const secret = id === undefined ? undefined : secrets.open(id)
      if (secret !== undefined) values.set(token, secret.value)
    }
    return values
  }

  return {
    tokensFor(session, found) {
      if (passing.has(session)) return inMemory.tokensFor(session, found)
      const { byValue } = cacheOf(session)
      const since = clock() - recheckMs
      const state = stateOfStore()
      const unverified = new Map<string, FoundSecret>()
      for (const one of found) {
        const issuedToken = byValue.get(one.value)
        if (issuedToken !== undefined && issuedToken.state !== state && isKept(issuedToken.id))
          issuedToken.state = state
        if (issuedToken?.state !== state || issuedToken.checkedAt < since) unverified.set(one.value, one)
      }
      if (unverified.size > 0) register(session, [...unverified.values()])
      return found.map(({ value }) => byValue.get(value)!.token)
    },
    valueOf: (session, token) => valuesOf(session, [token]).get(token),
    valuesOf,
    issued(session, tokens) {
      const { issued } = cacheOf(session)
      const unverified = tokens.filter((token) => !issued.has(token))
      if (unverified.length > 0) {
        const secretIdOf = secretIdFinder(session)
        for (const token of unverified) if (secretIdOf(token) !== undefined) issued.add(ownString(token))
      }
      return new Set(tokens.filter((token) => issued.has(token)))
    },
    newlyKnown(session, all = false) {
      const now = clock()
      const isRecent = now - newsAt < newsEveryMs && !secrets.hasMoreNews(all)
      // Loading news may itself write to the log.
      if (isLoadingNews || isRecent) return []
      isLoadingNews = true
      try {
        const news = secrets.news(all)
        newsAt = now
        return news
      } catch (error) {
        // The log must still work when the store cannot be read.
        if (passing.has(session)) return []
        throw error
      } finally {
        isLoadingNews = false
      }
    },
    endSession(session) {
      sessions.delete(session)
      inMemory.endSession(session)
    },
    introductions: {
      has: (session) => sessions.get(session)?.isIntroduced === true,
      add(session) {
        cacheOf(session).isIntroduced = true
      },
    },

    archive(text, session) {
      // Escapes text that already looks like an id, so that ids cannot be forged.
      const quoted = text.replaceAll('[SECRET:', '[SECRET::')
      if (!quoted.includes('[SECRET_')) return quoted
      const secretIdOf = secretIdFinder(session)
      return quoted.replace(tokenPattern, (token) => {
        const id = secretIdOf(token)
        return id === undefined ? token : `[SECRET:${id}]`
      })
    },
    recall(text, session) {
      const ids = new Set(Array.from(text.matchAll(archivedPattern), ([, id = '']) => id))
      const tokens = new Map<string, string>()
      if (ids.size > 0) {
        store.transaction(() => {
          const alive = [...ids].filter(secrets.see)
          for (const [index, token] of tokensOfIds(session, alive).entries()) tokens.set(alive[index]!, token)
        })
      }
      return text
        .replace(archivedPattern, (_, id: string) => tokens.get(id) ?? forgotten)
        .replaceAll('[SECRET::', '[SECRET:')
    },

    list: secrets.list,
    named: secrets.named,
    refusePlain,
    set(name, value, days) {
      refusePlain(value)
      return secrets.set(name, value, days)
    },
    forget: (which) => countRemoval(() => secrets.forget(which)),
    prune: () => countRemoval(secrets.prune) + removeDeadTokens(store, tenant, clock() - keepMs),
  }
}

function refusePlain(value: string): void {
  if (isDistinctive(value)) return
  const problem = 'the value is too short or too common to search for: it would match ordinary text'
  throw new ContextdError('USAGE', { problem, hint: 'Use a longer value, or one that is not a word.' })
}

/** The form of a secret in text that outlives its session. */
const archivedPattern = /\[SECRET:([0-9a-f]{12})\]/g
const forgotten = '[SECRET_FORGOTTEN]'
