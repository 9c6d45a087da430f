import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

import type { RepositoryView } from '../../src/memory/repository/find.ts'
import { readWholeFile } from '../../src/memory/repository/file-words.ts'
import { createRepositoryIndex, type RepositoryIndex } from '../../src/memory/repository/repository-index.ts'
import type { UpdateParts } from '../../src/memory/repository/update.ts'
import type { Store } from '../../src/platform/storage/store.ts'
import { temporaryFolder, temporaryStore } from './audit.ts'

/** A folder with files, its index, and the files that the index opened. */
export interface TestRepository {
  readonly folder: string
  readonly store: Store
  readonly index: RepositoryIndex
  /** Paths that were opened since the last call, sorted. */
  opened(): string[]
  put(path: string, content: string | Uint8Array): void
  drop(path: string): void
  /** Another process with the same store. */
  reopen(parts?: Partial<UpdateParts>): RepositoryIndex
  /** Paths with their lines, as the user sees them. */
  find(text: string, parts?: { view?: Partial<RepositoryView>; limit?: number }): Promise<string[]>
}

/** Treats everything like `secret-123` as a secret. */
export function secretsIn(text: string): { start: number; end: number }[] {
  return [...text.matchAll(/secret-\d+(?:\n\d+)*/g)].map((found) => ({
    start: found.index,
    end: found.index + found[0].length,
  }))
}

export function testRepository(
  files: Record<string, string>,
  more: Partial<UpdateParts> = {},
): TestRepository {
  const folder = join(temporaryFolder(), 'repository')
  mkdirSync(folder)
  const store = temporaryStore()
  let opened: string[] = []
  const open = (parts: Partial<UpdateParts> = {}): RepositoryIndex =>
    createRepositoryIndex({
      store,
      tenant: 'local',
      // So that no file is too recent to be trusted.
      clock: () => Date.now() + 1000,
      secretsIn,
      mayIndex: () => true,
      maxFileBytes: 100_000,
      readFile(path, most) {
        opened.push(path.slice(folder.length + 1))
        return readWholeFile(path, most)
      },
      ...more,
      ...parts,
    })
  const index = open()
  const put = (path: string, content: string | Uint8Array): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  for (const [path, content] of Object.entries(files)) put(path, content)
  return {
    folder,
    store,
    index,
    put,
    reopen: open,
    opened() {
      const paths = opened.sort()
      opened = []
      return paths
    },
    drop: (path) => rmSync(join(folder, path), { recursive: true }),
    async find(text, { view = {}, limit = 5 } = {}) {
      const { matches } = await index.find({ text, limit, view: { ...viewOf(folder), ...view } })
      return matches.map(({ path, firstLine, lastLine }) => `${path}:${firstLine}-${lastLine}`)
    },
  }
}

/** The view of a caller who may read everything. */
export function viewOf(workspace: string): RepositoryView {
  return { workspace, mayRead: () => true, read: async (path) => readWholeFile(path, Infinity) }
}

/** Everything SQLite has written, as one text. */
export function everythingStored({ path, prepare }: Store): string {
  prepare('PRAGMA wal_checkpoint(TRUNCATE)').all()
  return readFileSync(path, 'latin1')
}
