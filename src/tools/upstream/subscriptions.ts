/** Which resources callers want to hear of. Connections come and go; what was subscribed stays so. */

import type { Pool } from './pool.ts'
import { connectionKey, type Owner, type PooledConnection } from './pool-state.ts'
import type { UpstreamServer } from './server.ts'

export interface UpstreamSubscriptions {
  add(server: UpstreamServer, uri: string, owner: Owner): Promise<void>
  remove(server: UpstreamServer, uri: string, owner: Owner): Promise<void>
  /** Call it before the connections of the session are closed. */
  endSession(session: string): void
}

export interface SubscriptionsOptions {
  readonly pool: Pick<Pool, 'use'>
  readonly find: (server: string) => UpstreamServer | undefined
}

/** What is subscribed over one connection. */
interface Wanted {
  readonly server: string
  readonly owner: Owner
  /** Which sessions hear of an address: more than one where they share the connection. */
  readonly sessions: Map<string, Set<string>>
  link?: PooledConnection | undefined
  release?: (() => void) | undefined
}

/** A server that stays away so long is not coming back for this. */
const maxAttempts = 8
const firstPauseMs = 500

export function createUpstreamSubscriptions({ pool, find }: SubscriptionsOptions): UpstreamSubscriptions {
  const all = new Map<string, Wanted>()

  const keep = (wanted: Wanted, link: PooledConnection): void => {
    if (wanted.link === link) return
    letGo(wanted)
    wanted.link = link
    wanted.release = link.hold()
    void link.connection.ended.then(() => (wanted.link === link ? renew(wanted, 0) : undefined))
  }
  const letGo = (wanted: Wanted): void => {
    wanted.release?.()
    wanted.link = undefined
    wanted.release = undefined
  }

  const renew = async (wanted: Wanted, tries: number): Promise<void> => {
    letGo(wanted)
    const server = find(wanted.server)
    if (wanted.sessions.size === 0 || server === undefined) return
    try {
      await pool.use(server, wanted.owner, async (link) => {
        for (const uri of wanted.sessions.keys()) await link.connection.subscribe(uri)
        keep(wanted, link)
      })
    } catch {
      if (tries < maxAttempts)
        setTimeout(() => void renew(wanted, tries + 1), firstPauseMs * 2 ** tries).unref()
    }
  }

  const forget = (key: string, wanted: Wanted): void => {
    if (wanted.sessions.size > 0) return
    all.delete(key)
    letGo(wanted)
  }

  return {
    async add(server, uri, owner) {
      const key = connectionKey(server, owner)
      const wanted: Wanted = all.get(key) ?? { server: server.name, owner, sessions: new Map() }
      await pool.use(server, owner, async (link) => {
        await link.connection.subscribe(uri)
        all.set(key, wanted)
        wanted.sessions.set(uri, (wanted.sessions.get(uri) ?? new Set()).add(owner.session))
        keep(wanted, link)
      })
    },
    async remove(server, uri, owner) {
      const key = connectionKey(server, owner)
      const wanted = all.get(key)
      const sessions = wanted?.sessions.get(uri)
      if (wanted === undefined || sessions?.delete(owner.session) !== true || sessions.size > 0) return
      wanted.sessions.delete(uri)
      try {
        await wanted.link?.connection.unsubscribe(uri)
      } finally {
        forget(key, wanted)
      }
    },
    endSession(session) {
      for (const [key, wanted] of all) {
        for (const [uri, sessions] of wanted.sessions) {
          sessions.delete(session)
          if (sessions.size === 0) wanted.sessions.delete(uri)
        }
        forget(key, wanted)
      }
    },
  }
}
