import { ownString } from '@contextd/shared/text/own-string'

/** A cache of short texts without findings, by their key: names and keys recur in every call. */
export interface CleanTexts {
  has(text: string, key: string | undefined): boolean
  add(text: string, key: string | undefined): void
  /** Called when the set of known secrets has changed. */
  clear(): void
}

const maxTextLength = 64
const maxTexts = 2000

export function createCleanTexts(): CleanTexts {
  const byKey = new Map<string | undefined, Set<string>>()
  let size = 0
  const clear = (): void => {
    byKey.clear()
    size = 0
  }
  return {
    has: (text, key) => text.length <= maxTextLength && byKey.get(key)?.has(text) === true,
    add(text, key) {
      if (text.length > maxTextLength || (key !== undefined && key.length > maxTextLength)) return
      // Starting over is cheaper than tracking the order of use.
      if (size >= maxTexts) clear()
      size += 1
      const known = byKey.get(key)
      if (known !== undefined) known.add(ownString(text))
      else byKey.set(key === undefined ? undefined : ownString(key), new Set([ownString(text)]))
    },
    clear,
  }
}
