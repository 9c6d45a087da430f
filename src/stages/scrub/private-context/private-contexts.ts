/** Agents' private contexts, stored sealed for as long as their session can be resumed. */

import { createHmac } from 'node:crypto'
import { join } from 'node:path'

import { callerName } from '../../../core/call.ts'
import { ContextdError } from '../../../core/errors/errors.ts'
import type { Clock, PrivateContext } from '../../../core/ports.ts'
import { loadOrCreateKey, readKey } from '../../../platform/secrets/keys.ts'
import { seal, unseal, type Sealed } from '../../../platform/secrets/sealing.ts'
import type { SqlRow } from '../../../platform/storage/sqlite.ts'
import type { Store } from '../../../platform/storage/store.ts'
import { identifiersIn, isPlainWord } from './identifiers.ts'
import { contentLines } from './lines.ts'
import { maskPrivate } from './mask.ts'
import { compileMatcher, type ContextMatcher, type ContextPattern } from './matcher.ts'

/** The private contexts of a session, for a thread without the store. */
export interface PrivateSnapshot {
  /** Changes whenever there is more. */
  readonly version: number
  readonly held: readonly Held[]
}

export interface PrivateContexts extends PrivateContext {
  /** Undefined if no agent of the session has any. */
  snapshot(session: string): PrivateSnapshot | undefined
  /** Deletes contexts from before that time (epoch milliseconds). */
  prune(before: number): number
}

export interface PrivateContextsOptions {
  readonly store: Store
  readonly tenant: string
  readonly keysDir: string
  readonly clock: Clock
}

type Holder = ReturnType<PrivateContext['holders']>[number]

interface Held {
  readonly holder: Holder
  readonly key?: string
  readonly text: string
}

interface SessionView {
  readonly held: readonly Held[]
  /** The last row that was read. */
  readonly seq: number
  /** The store's write counter when there was nothing newer, and when that was last checked. */
  writes: number
  checkedAt: number
  /** Created when a text is first checked. */
  matcher?: ContextMatcher | undefined
}

/** Max cached sessions; others are loaded again when needed. */
const maxViews = 1000
/** A shorter key would occur in any text. */
const minKeyLength = 4

export function createPrivateContexts({
  store,
  tenant,
  keysDir,
  clock,
}: PrivateContextsOptions): PrivateContexts {
  const keyFile = join(keysDir, 'private.key')
  const views = new Map<string, SessionView>()
  let key: Buffer | undefined

  const rowsOf = (session: string) => store.rows('private_contexts', { tenant, session })

  const open = (row: SqlRow): Held => {
    const [session, agent, instance] = [String(row.session), String(row.agent), row.instance]
    try {
      key ??= readKey(keyFile)
      if (key === undefined) throw new Error('its key is missing')
      const body = unseal(key, row as unknown as Sealed, placeOf(tenant, session, agent, instance))
      const { key: contextKey, text } = JSON.parse(body.toString()) as { key?: string; text: string }
      return {
        holder: { agent, ...(typeof instance === 'string' && { instance }) },
        ...(contextKey !== undefined && { key: contextKey }),
        text,
      }
    } catch (cause) {
      const problem = 'a private context was changed, or sealed with another key'
      throw new ContextdError('STORE_UNAVAILABLE', { cause: problem }, { cause })
    }
  }

  /** The current state of the store; checked once for all texts of the same millisecond. */
  const viewOf = (session: string): SessionView => {
    const now = clock()
    let view = views.get(session)
    if (view?.checkedAt === now) return view
    const writes = store.foreignWrites()
    if (view?.writes !== writes) {
      const { held, seq } = view ?? { held: [], seq: 0 }
      const rows = rowsOf(session).all({ seq: { atLeast: seq + 1 } }, { orderBy: 'seq' })
      if (view === undefined || rows.length > 0) {
        const last = Number(rows.at(-1)?.seq ?? seq)
        view = { held: [...held, ...rows.map(open)], seq: last, writes, checkedAt: now }
        if (views.size >= maxViews) views.clear()
        views.set(session, view)
      }
      view.writes = writes
    }
    view.checkedAt = now
    return view
  }

  return {
    remember(call, { key: contextKey, text }) {
      const agent = callerName(call)
      if (agent === '') throw new Error('private context for an unidentified caller')
      const { session, project } = call
      const instance = call.claims.attested?.instance ?? call.principal?.instance ?? null
      key ??= loadOrCreateKey(keyFile)
      const body = Buffer.from(JSON.stringify({ ...(contextKey !== undefined && { key: contextKey }), text }))
      const mac = createHmac('sha256', key).update(body).digest()
      const sealed = seal(key, body, placeOf(tenant, session, agent, instance))
      store.transaction(() => {
        const rows = rowsOf(session)
        if (rows.first({ agent, instance, mac }) !== undefined) return
        rows.insert({ project, agent, instance, mac, ...sealed, created_at: clock() })
      })
      views.delete(session)
    },
    mask(text, session, caller) {
      const view = viewOf(session)
      if (view.held.length === 0) return { text, findings: [] }
      view.matcher ??= matcherOf(view.held)
      return maskPrivate(text, view.matcher, caller)
    },
    snapshot(session) {
      const { held, seq } = viewOf(session)
      return held.length === 0 ? undefined : { version: seq, held }
    },
    holders(session) {
      const holders = viewOf(session).held.map(({ holder }) => holder)
      return [...new Map(holders.map((one) => [`${one.agent} ${one.instance ?? ''}`, one])).values()]
    },
    prune(before) {
      views.clear()
      return store.rows('private_contexts', { tenant }).remove({ created_at: { atMost: before - 1 } })
    },
  }
}

export function matcherOf(held: PrivateSnapshot['held']): ContextMatcher {
  return compileMatcher(patternsOf(held))
}

/** Text that several agents have belongs to each of them; equal sets of owners share one object. */
function patternsOf(held: readonly Held[]): ContextPattern[] {
  const found = new Map<string, { text: string; kind: ContextPattern['kind']; owners: Set<string> }>()
  const add = (agent: string, kind: ContextPattern['kind'], text: string): void => {
    const id = `${kind} ${text}`
    const known = found.get(id)
    if (known === undefined) found.set(id, { text, kind, owners: new Set([agent]) })
    else known.owners.add(agent)
  }
  for (const { holder, key, text } of held) {
    const { agent } = holder
    if (key !== undefined && key.length >= minKeyLength) add(agent, isPlainWord(key) ? 'exact' : 'name', key)
    for (const one of identifiersIn(text)) add(agent, one.isExact ? 'exact' : 'name', one.text)
    for (const line of contentLines(text)) add(agent, 'line', line)
  }
  const groups = new Map<string, ReadonlySet<string>>()
  return [...found.values()].map(({ text, kind, owners }) => {
    const id = [...owners].sort().join(' ')
    if (!groups.has(id)) groups.set(id, owners)
    return { text, kind, owners: groups.get(id)! }
  })
}

function placeOf(tenant: string, session: string, agent: string, instance: unknown): string[] {
  return ['private context', tenant, session, agent, typeof instance === 'string' ? instance : '']
}
