import { dirname, join } from 'node:path'

import { onTestFinished } from 'vitest'

import { openStore, type Store } from '../../src/platform/storage/store.ts'
import { createSecretRegistry, type SecretRegistry } from '../../src/stages/scrub/registry.ts'
import { createScrubber, type Scrubber } from '@contextd/scrub/internal/engine'
import { temporaryStore } from './audit.ts'
import { makeSample, seededRandom } from '@contextd/shared/testing/secret-samples'

export const dayMs = 86_400_000

export interface TestRegistry {
  readonly registry: SecretRegistry
  readonly scrubber: Scrubber
  readonly store: Store
  readonly keysDir: string
  /** Set it to change the time. */
  readonly clock: { now: number }
  readonly complaints: string[]
  /** Another process with the same files. */
  readonly another: () => TestRegistry
}

/** A registry on temporary files, with a scrubber that uses it. */
export function temporaryRegistry(
  store: Store = temporaryStore(),
  clock = { now: 1_700_000_000_000 },
): TestRegistry {
  const keysDir = join(dirname(store.path), 'keys')
  const complaints: string[] = []
  const registry = createSecretRegistry({
    store,
    tenant: 'local',
    keysDir,
    clock: () => clock.now,
    keepMs: 30 * dayMs,
    report: (_, message, fields) => complaints.push(`${message}: ${JSON.stringify(fields)}`),
    passing: ['log'],
  })
  return {
    registry,
    scrubber: createScrubber({ tokens: registry }),
    store,
    keysDir,
    clock,
    complaints,
    another() {
      const other = openStore(store.path)
      onTestFinished(() => other.close())
      return temporaryRegistry(other, clock)
    },
  }
}

/** Generated on demand, so that the sources contain nothing that looks like a credential. */
export function sampleSecrets(count: number, seed = 1): string[] {
  const random = seededRandom(seed)
  return Array.from({ length: count }, () => makeSample('ghp_{alnum:36}', random).text)
}

export function turned(text: string): string {
  return Array.from(text).toReversed().join('')
}
