/**
 * Tokens that outlive the process: a session that is resumed finds its numbers again, text that is kept for longer can
 * be read by other sessions, and what was a secret once is looked for everywhere.
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
  /** Names that stand where no session is, such as in logs: their tokens stay in memory, and nobody gets a value back. */
  readonly passing?: readonly string[]
}

export interface SecretRegistry extends SessionTokens, LastingText {
  /** The values of those tokens that this session was given and that are not forgotten. Looks at the store each time. */
  valuesOf(session: string, tokens: Iterable<string>): ReadonlyMap<string, string>
  /** Those of the tokens that this session was given, also of secrets that were forgotten since. */
  issued(session: string, tokens: readonly string[]): ReadonlySet<string>
  /** The sessions of this process whose agent was told what a token is. */
  readonly introductions: { has(session: string): boolean; add(session: string): void }
  list(): SecretRecord[]
  /** Throws for a value that cannot be set, as `set` does. */
  refusePlain(value: string): void
  /** Looks for a value of the person's from now on; answers its id. */
  set(name: string, value: string, days?: number): string
  /** What was last set under the name. */
  named(name: string): string | undefined
  forget(which: SecretChoice): number
  prune(): number
}

interface Given {
  readonly token: string
  /** The secret it stands for. */
  readonly id: string
  /** The state of the store in which the secret was last seen to be there. */
  state: string
  /** When the secret was last marked as seen. */
  readonly checkedAt: number
}

interface SessionCache {
  readonly byValue: Map<string, Given>
  /** Tokens that are known to be the session's: a conversation has the same ones with every turn. */
  readonly issued: Set<string>
  kept: number
  isTold: boolean
}

/** After this long a secret counts as seen again. */
const recheckMs = 60_000
/** How often other processes' secrets are asked for. */
const newsEveryMs = 1000

export function createSecretRegistry(options: RegistryOptions): SecretRegistry {
  const { store, tenant, clock, keepMs } = options
  const secrets = createSecretStore(options)
  const inMemory = createSessionTokens()
  const passing = new Set(options.passing)
  const sessions = new Map<string, SessionCache>()
  let newsAt = -Infinity
  let isAsking = false
  /** How often this process took secrets away. */
  let removals = 0

  /** Another one whenever somebody else wrote to the file, or this process took secrets away. */
  const stateOfStore = (): string => `${store.foreignWrites()} ${removals}`

  const isKept = (id: string): boolean => {
    const row = store.rows('secrets', { tenant }).first({ id })
    return row !== undefined && (row.expires_at === null || Number(row.expires_at) > clock())
  }
  const removing = (remove: () => number): number => {
    removals++
    return remove()
  }

  const cacheOf = (session: string): SessionCache => {
    let cache = sessions.get(session)
    if (cache === undefined) {
      cache = { byValue: new Map(), issued: new Set(), kept: 0, isTold: false }
      sessions.set(session, cache)
    }
    return cache
  }
  const tokenRows = (session: string) => store.rows('secret_tokens', { tenant, session })

  const highestOf = (session: string): number =>
    Number(tokenRows(session).first({}, { orderBy: 'n', descending: true })?.n ?? 0)

  /** The session's tokens for these secrets, new ones where it has none. In a transaction, so that no number is given twice. */
  const tokensOfIds = (session: string, ids: readonly string[]): string[] => {
    const rows = tokenRows(session)
    let highest: number | undefined
    return ids.map((secret) => {
      const given = rows.first({ secret })
      if (given !== undefined) return tokenOf(Number(given.n))
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
    // Before the secrets are entered: whoever takes one away after that makes another state.
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

  /** Finds the secret behind a token that the session was given, whether or not the secret is forgotten. */
  const idsBehind = (session: string): ((token: string) => string | undefined) => {
    const rows = tokenRows(session)
    // A text may be full of what only looks like a token, and costs no look at the store.
    const highest = highestOf(session)
    return (token) => {
      const n = Number(token.slice('[SECRET_'.length, -1))
      if (!(n <= highest) || tokenOf(n) !== token) return undefined
      return rows.first({ n })?.secret as string | undefined
    }
  }

  const valuesOf = (session: string, tokens: Iterable<string>): Map<string, string> => {
    const idBehind = idsBehind(session)
    const values = new Map<string, string>()
    for (const token of tokens) {
      const id = idBehind(token)
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
      const unsure = new Map<string, FoundSecret>()
      for (const one of found) {
        const given = byValue.get(one.value)
        if (given !== undefined && given.state !== state && isKept(given.id)) given.state = state
        if (given?.state !== state || given.checkedAt < since) unsure.set(one.value, one)
      }
      if (unsure.size > 0) register(session, [...unsure.values()])
      return found.map(({ value }) => byValue.get(value)!.token)
    },
    valueOf: (session, token) => valuesOf(session, [token]).get(token),
    valuesOf,
    issued(session, tokens) {
      const { issued } = cacheOf(session)
      const unsure = tokens.filter((token) => !issued.has(token))
      if (unsure.length > 0) {
        const idBehind = idsBehind(session)
        for (const token of unsure) if (idBehind(token) !== undefined) issued.add(ownString(token))
      }
      return new Set(tokens.filter((token) => issued.has(token)))
    },
    newlyKnown(session, all = false) {
      const now = clock()
      const isRecent = now - newsAt < newsEveryMs && !secrets.hasMoreNews(all)
      // To look for news may itself have something to say to the log.
      if (isAsking || isRecent) return []
      isAsking = true
      try {
        const news = secrets.news(all)
        newsAt = now
        return news
      } catch (error) {
        // A log has to be able to say that the store cannot be read.
        if (passing.has(session)) return []
        throw error
      } finally {
        isAsking = false
      }
    },
    endSession(session) {
      sessions.delete(session)
      inMemory.endSession(session)
    },
    introductions: {
      has: (session) => sessions.get(session)?.isTold === true,
      add(session) {
        cacheOf(session).isTold = true
      },
    },

    archive(text, session) {
      // What looks like an id already gets one colon more, so that nobody can write one.
      const quoted = text.replaceAll('[SECRET:', '[SECRET::')
      if (!quoted.includes('[SECRET_')) return quoted
      const idBehind = idsBehind(session)
      return quoted.replace(tokenPattern, (token) => {
        const id = idBehind(token)
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
    forget: (which) => removing(() => secrets.forget(which)),
    prune: () => removing(secrets.prune) + removeDeadTokens(store, tenant, clock() - keepMs),
  }
}

function refusePlain(value: string): void {
  if (isDistinctive(value)) return
  const problem = 'the value is too short or too plain to be looked for: ordinary text would be full of it'
  throw new ContextdError('USAGE', { problem, hint: 'Use a longer value, or one that is no word.' })
}

/** How a secret stands in text that outlives its session. */
const archivedPattern = /\[SECRET:([0-9a-f]{12})\]/g
const forgotten = '[SECRET_FORGOTTEN]'
