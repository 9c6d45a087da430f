/** Remembers what strings of requests became: a conversation sends all of its texts again with every turn. */

import type { CheckFor } from '../core/checks.ts'
import { ownString } from '@contextd/shared/text/own-string'

/** A JSON string in place of another, quotes included. */
export interface MaskedString {
  readonly literal: string
  readonly rules: readonly string[]
}

export interface CachedString {
  /** Null where it stays the same. */
  readonly masked: MaskedString | null
  /** How many secrets were known when it was last checked for all of them. */
  secrets: number
}

/** Of one session and reader, as long as nothing else becomes private. */
export interface CachedStrings {
  /** `place` says how the string was checked, `literal` is the string as it is in the request. */
  get(place: string, literal: string): CachedString | undefined
  set(place: string, literal: string, cached: CachedString): void
}

export interface TextCache {
  /** `privacy` is the version of what is private. */
  of(owner: Pick<CheckFor, 'session' | 'reader'>, privacy: number): CachedStrings
}

interface Session extends CachedStrings {
  readonly privacy: number
  size: number
}

const defaultMaxBytes = 128 << 20
/** What an entry takes in memory besides its characters. */
const bytesPerEntry = 144
const bytesPerCharacter = 2

/** Drops the least recently used session when it is full. */
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
        // One that was dropped in the meantime is not counted: it ends with the request that still uses it.
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
