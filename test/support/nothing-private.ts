import type { PrivateContext } from '../../src/core/ports.ts'

/** A session without private context. */
export const nothingPrivate: Pick<PrivateContext, 'mask' | 'holders'> = {
  mask: (text) => ({ text, findings: [] }),
  holders: () => [],
}
