import { ownString } from '@contextd/shared/text/own-string'

/** Short texts in which nothing was found, by the key they stood under: names and keys come again with every call. */
export interface CleanTexts {
  has(text: string, key: string | undefined): boolean
  add(text: string, key: string | undefined): void
  /** What counts as a secret has changed. */
  clear(): void
}

const longest = 64
const most = 2000

export function createCleanTexts(): CleanTexts {
  const byKey = new Map<string | undefined, Set<string>>()
  let size = 0
  const clear = (): void => {
    byKey.clear()
    size = 0
  }
  return {
    has: (text, key) => text.length <= longest && byKey.get(key)?.has(text) === true,
    add(text, key) {
      if (text.length > longest || (key !== undefined && key.length > longest)) return
      // Rather all anew than an order of use kept for every text.
      if (size >= most) clear()
      size += 1
      const known = byKey.get(key)
      if (known !== undefined) known.add(ownString(text))
      else byKey.set(key === undefined ? undefined : ownString(key), new Set([ownString(text)]))
    },
    clear,
  }
}
