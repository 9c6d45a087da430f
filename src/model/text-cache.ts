/** Caches masked strings of requests: a conversation sends all of its texts again with every turn. */

import type { CheckFor } from '../core/checks.ts'
import { ownString } from '@contextd/shared/text/own-string'

/** A JSON string that replaces another, including quotes. */
export interface MaskedString {
  readonly literal: string
  readonly rules: readonly string[]
}

export interface CachedString {
  /** Null if the string stays the same. */
  readonly masked: MaskedString | null
  /** How many secrets were known when it was last checked. */
  secrets: number
}

/** The cache of one session and reader, for one version of the private context. */
export interface CachedStrings {
  /** `place` identifies how the string was checked, `literal` is its source text in the request. */
  get(place: string, literal: string): CachedString | undefined
  set(place: string, literal: string, cached: CachedString): void
}

export interface TextCache {
  /** `privacy` is the version of the private context. */
  of(owner: Pick<CheckFor, 'session' | 'reader'>, privacy: number): CachedStrings
}

interface Session extends CachedStrings {
  readonly privacy: number
  size: number
}

const defaultMaxBytes = 128 << 20
/** Memory of an entry apart from its characters. */
const bytesPerEntry = 144
const bytesPerCharacter = 2

/** Evicts the least recently used session when it is full. */
export function createTextCache(maxBytes = defaultMaxBytes): TextCache {
  const sessions = new Map<string, Session>()
  let size = 0

  const drop = (name: string, session: Session): void => {
    if (sessions.get(name) !== session) return
    sessions.delete(name)
    size -= session.size
  }
  const makeRoom = (): void => {
    for (const [name, session] of sessions) {
      if (size <= maxBytes) return
      drop(name, session)
    }
  }

  const open = (name: string, privacy: number): Session => {
    const places = new Map<string, Map<string, CachedString>>()
    const session: Session = {
      privacy,
      size: bytesPerEntry,
      get: (place, literal) => places.get(place)?.get(literal),
      set(place, literal, cached) {
        let strings = places.get(place)
        if (strings === undefined) {
          strings = new Map()
          places.set(ownString(place), strings)
        }
        const before = strings.get(literal)
        strings.set(before === undefined ? ownString(literal) : literal, cached)
        // An evicted session is no longer counted: it lives until the request that still uses it ends.
        if (sessions.get(name) !== session) return
        const added = sizeOf(literal, cached) - (before === undefined ? 0 : sizeOf(literal, before))
        session.size += added
        size += added
        makeRoom()
      },
    }
    return session
  }

  return {
    of({ session, reader }, privacy) {
      const name = JSON.stringify([session, reader])
      const known = sessions.get(name)
      if (known?.privacy === privacy) {
        sessions.delete(name)
        sessions.set(name, known)
        return known
      }
      if (known !== undefined) drop(name, known)
      const fresh = open(name, privacy)
      sessions.set(name, fresh)
      size += fresh.size
      makeRoom()
      return fresh
    },
  }
}

function sizeOf(literal: string, { masked }: CachedString): number {
  return bytesPerEntry + bytesPerCharacter * (literal.length + (masked?.literal.length ?? 0))
}
