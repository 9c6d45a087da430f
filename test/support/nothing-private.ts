import type { PrivateContext } from '../../src/core/ports.ts'

/** A session in which no agent was given anything for itself. */
export const nothingPrivate: Pick<PrivateContext, 'mask' | 'holders'> = {
  mask: (text) => ({ text, findings: [] }),
  holders: () => [],
}
