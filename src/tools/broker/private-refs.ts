/** Refs of private context. They are in memory and contain no text: the file is read again for every page. */

export interface GivenContext {
  readonly session: string
  readonly caller: string
  /** The hash of its key. */
  readonly context: string
  readonly sha256: string
}

export interface PrivateRefs {
  /** Returns the same ref for the same context. */
  give(given: GivenContext): string
  find(ref: string): GivenContext | undefined
}

const prefix = 'ctxref_'
/** The oldest are dropped first. */
const maxRefs = 500

export function isPrivateRef(ref: string): boolean {
  return ref.startsWith(prefix)
}

export function createPrivateRefs(randomId: () => string): PrivateRefs {
  const refs = new Map<string, GivenContext>()
  const byContent = new Map<string, string>()
  const contentOf = ({ session, caller, context, sha256 }: GivenContext): string =>
    JSON.stringify([session, caller, context, sha256])
  const forgetOldest = (): void => {
    for (const [ref, given] of refs) {
      if (refs.size <= maxRefs) return
      refs.delete(ref)
      byContent.delete(contentOf(given))
    }
  }
  return {
    give(given) {
      const content = contentOf(given)
      const ref = byContent.get(content) ?? prefix + randomId()
      byContent.set(content, ref)
      refs.set(ref, given)
      forgetOldest()
      return ref
    },
    find: (ref) => refs.get(ref),
  }
}
