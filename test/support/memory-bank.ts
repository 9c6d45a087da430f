import { ContextdError } from '../../src/core/errors/errors.ts'
import { createBank, type Bank } from '../../src/memory/bank/bank.ts'
import type { NewMemory } from '../../src/memory/bank/memory.ts'
import type { Archiver, MemoryUser, MemoryReach } from '../../src/memory/memory-access.ts'
import type { Embedder } from '../../src/memory/search/embedder.ts'
import { createSqliteVectors } from '../../src/memory/search/sqlite-vectors.ts'
import type { Store } from '../../src/platform/storage/store.ts'
import { temporaryStore } from './audit.ts'
import type { TestRegistry } from './registry.ts'

export interface TestBank {
  readonly bank: Bank
  readonly store: Store
  /** Set it to change the time. */
  readonly clock: { now: number }
}

export interface TestBankOptions {
  readonly store?: Store
  readonly tenant?: string
  readonly embedder?: Embedder
}

/** A bank on a temporary store, with an embedder that only knows words. */
export function temporaryBank({
  store = temporaryStore(),
  tenant = 'local',
  embedder = wordEmbedder(),
}: TestBankOptions = {}): TestBank {
  const clock = { now: 1_700_000_000_000 }
  const vectors = createSqliteVectors({ store, tenant, kind: 'memory' })
  return { bank: createBank({ store, tenant, clock: () => clock.now, embedder, vectors }), store, clock }
}

/** Keeps text as it is, as if nobody had a secret. */
export const plainKeeping: Archiver = { archive: (text) => text, recall: (text) => text }

/** An agent with the reach of the built-in rules, and what a test cares about on top. */
export function aUser(reach: Partial<MemoryReach> = {}, archiver: Archiver = plainKeeping): MemoryUser {
  return {
    reach: {
      tenant: 'local',
      project: '/project',
      session: 'session-1',
      agent: 'main',
      read: ['project'],
      write: ['project'],
      ...reach,
    },
    archiver,
  }
}

/** Scrubs and renumbers as the product does, for one session. */
export function keepingOf({ registry, scrubber }: TestRegistry, session: string): Archiver {
  return {
    archive: (text) => registry.archive(scrubber.scrub(text, { tenant: 'local', session }).text, session),
    recall: (text) => registry.recall(text, session),
  }
}

export function aMemory(parts: Partial<NewMemory> = {}): NewMemory {
  return {
    title: 'Look at the lock file first',
    description: 'When a build fails after a merge; not for failing tests.',
    content: 'The lock file had been merged by hand, so two versions of one package were installed.',
    outcome: 'success',
    ...parts,
  }
}

const dimension = 64

/** Texts with the same words are close; it knows no meaning. */
export function wordEmbedder(model = 'words'): Embedder {
  const embedOne = (text: string): Float32Array => {
    const vector = new Float32Array(dimension)
    for (const word of text.toLowerCase().match(/\w+/g) ?? []) {
      let hash = 7
      for (const letter of word) hash = (hash * 31 + (letter.codePointAt(0) ?? 0)) >>> 0
      vector[hash % dimension]! += 1
    }
    const length = Math.hypot(...vector) || 1
    return vector.map((value) => value / length)
  }
  return { model, dimension, embed: async (texts) => texts.map(embedOne) }
}

/** An embedder that is unavailable. */
export function brokenEmbedder(): Embedder {
  return {
    model: 'broken',
    dimension,
    embed: () => Promise.reject(new ContextdError('EMBEDDER_UNAVAILABLE', { problem: 'nobody answers' })),
  }
}
