/** Text that outlives its session: tokens are replaced by the ids of their secrets, and back by another session's. */

import type { LastingText } from '../../core/ports.ts'
import type { Store } from '../../platform/storage/store.ts'
import { tokenPattern } from '@contextd/scrub/internal/session-tokens'
import type { SecretStore } from './secret-store.ts'
import type { TokenNumbers } from './token-numbers.ts'

/** The form of a secret in stored text. */
const archivedPattern = /\[SECRET:([0-9a-f]{12})\]/g
const forgotten = '[SECRET_FORGOTTEN]'

export function createArchivedText(
  store: Store,
  secrets: Pick<SecretStore, 'see'>,
  numbers: TokenNumbers,
): LastingText {
  return {
    archive(text, session) {
      // Escapes text that already looks like an id, so that ids cannot be forged.
      const quoted = text.replaceAll('[SECRET:', '[SECRET::')
      if (!quoted.includes('[SECRET_')) return quoted
      const secretIdOf = numbers.finder(session)
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
          for (const [index, token] of numbers.tokensOf(session, alive).entries())
            tokens.set(alive[index]!, token)
        })
      }
      return text
        .replace(archivedPattern, (_, id: string) => tokens.get(id) ?? forgotten)
        .replaceAll('[SECRET::', '[SECRET:')
    },
  }
}
