/** Resource subscriptions of callers. They outlive connections: a new connection subscribes again. */

import type { Pool } from './pool.ts'
import { connectionKey, type Owner, type PooledConnection } from './pool-state.ts'
import type { UpstreamServer } from './server.ts'

export interface UpstreamSubscriptions {
  add(server: UpstreamServer, uri: string, owner: Owner): Promise<void>
  remove(server: UpstreamServer, uri: string, owner: Owner): Promise<void>
  /** To be called before the connections of the session are closed. */
  endSession(session: string): void
}

export interface SubscriptionsOptions {
  readonly pool: Pick<Pool, 'use'>
  readonly find: (server: string) => UpstreamServer | undefined
}

/** The subscriptions of one connection. */
interface Subscribed {
  readonly server: string
  readonly owner: Owner
  /** Sessions by URI; more than one if they share the connection. */
  readonly sessions: Map<string, Set<string>>
  link?: PooledConnection | undefined
  release?: (() => void) | undefined
}

const maxAttempts = 8
const firstPauseMs = 500

export function createUpstreamSubscriptions({ pool, find }: SubscriptionsOptions): UpstreamSubscriptions {
  const all = new Map<string, Subscribed>()

  const keep = (subscribed: Subscribed, link: PooledConnection): void => {
    if (subscribed.link === link) return
    letGo(subscribed)
    subscribed.link = link
    subscribed.release = link.hold()
    void link.connection.ended.then(() => (subscribed.link === link ? renew(subscribed, 0) : undefined))
  }
  const letGo = (subscribed: Subscribed): void => {
    subscribed.release?.()
    subscribed.link = undefined
    subscribed.release = undefined
  }

  const renew = async (subscribed: Subscribed, tries: number): Promise<void> => {
    letGo(subscribed)
    const server = find(subscribed.server)
    if (subscribed.sessions.size === 0 || server === undefined) return
    try {
      await pool.use(server, subscribed.owner, async (link) => {
        for (const uri of subscribed.sessions.keys()) await link.connection.subscribe(uri)
        keep(subscribed, link)
      })
    } catch {
      if (tries < maxAttempts)
        setTimeout(() => void renew(subscribed, tries + 1), firstPauseMs * 2 ** tries).unref()
    }
  }

  const forget = (key: string, subscribed: Subscribed): void => {
    if (subscribed.sessions.size > 0) return
    all.delete(key)
    letGo(subscribed)
  }

  return {
    async add(server, uri, owner) {
      const key = connectionKey(server, owner)
      const subscribed: Subscribed = all.get(key) ?? { server: server.name, owner, sessions: new Map() }
      await pool.use(server, owner, async (link) => {
        await link.connection.subscribe(uri)
        all.set(key, subscribed)
        subscribed.sessions.set(uri, (subscribed.sessions.get(uri) ?? new Set()).add(owner.session))
        keep(subscribed, link)
      })
    },
    async remove(server, uri, owner) {
      const key = connectionKey(server, owner)
      const subscribed = all.get(key)
      const sessions = subscribed?.sessions.get(uri)
      if (subscribed === undefined || sessions?.delete(owner.session) !== true || sessions.size > 0) return
      subscribed.sessions.delete(uri)
      try {
        await subscribed.link?.connection.unsubscribe(uri)
      } finally {
        forget(key, subscribed)
      }
    },
    endSession(session) {
      for (const [key, subscribed] of all) {
        for (const [uri, sessions] of subscribed.sessions) {
          sessions.delete(session)
          if (sessions.size === 0) subscribed.sessions.delete(uri)
        }
        forget(key, subscribed)
      }
    },
  }
}
