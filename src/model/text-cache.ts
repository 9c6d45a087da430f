/** Remembers what strings of requests became: a conversation sends all of its texts again with every turn. */

import type { CheckFor, Knowledge } from '../core/checks.ts'
import { ownString } from '../platform/own-string.ts'

/** A JSON string in place of another, quotes included. */
export interface MaskedString {
  readonly literal: string
  readonly rules: readonly string[]
}

/** Of one session and reader, as long as nothing more becomes known. */
export interface CachedStrings {
  /**
   * `place` says how the string was checked, `literal` is the string as it is in the request. Null where it stays the same,
   * undefined where that is not known.
   */
  get(place: string, literal: string): MaskedString | null | undefined
  set(place: string, literal: string, masked: MaskedString | null): void
}

export interface TextCache {
  of(owner: Pick<CheckFor, 'session' | 'reader'>, knowledge: Knowledge): CachedStrings
}

interface Session extends CachedStrings {
  readonly knowledge: Knowledge
  size: number
}

const defaultMaxBytes = 128 << 20
/** What an entry takes in memory besides its characters. */
const bytesPerEntry = 128
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

  const open = (name: string, knowledge: Knowledge): Session => {
    const places = new Map<string, Map<string, MaskedString | null>>()
    const session: Session = {
      knowledge,
      size: bytesPerEntry,
      get: (place, literal) => places.get(place)?.get(literal),
      set(place, literal, masked) {
        let strings = places.get(place)
        if (strings === undefined) {
          strings = new Map()
          places.set(ownString(place), strings)
        }
        strings.set(ownString(literal), masked)
        // One that was dropped in the meantime is not counted: it ends with the request that still uses it.
        if (sessions.get(name) !== session) return
        const added = bytesPerEntry + bytesPerCharacter * (literal.length + (masked?.literal.length ?? 0))
        session.size += added
        size += added
        makeRoom()
      },
    }
    return session
  }

  return {
    of({ session, reader }, knowledge) {
      const name = JSON.stringify([session, reader])
      const known = sessions.get(name)
      const isValid =
        known?.knowledge.secrets === knowledge.secrets && known.knowledge.privacy === knowledge.privacy
      if (known !== undefined && isValid) {
        sessions.delete(name)
        sessions.set(name, known)
        return known
      }
      if (known !== undefined) drop(name, known)
      const fresh = open(name, knowledge)
      sessions.set(name, fresh)
      size += fresh.size
      makeRoom()
      return fresh
    },
  }
}
