import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { openBubblewrap } from '../../src/sandbox/bubblewrap.ts'
import type { Sandbox } from '../../src/sandbox/sandbox.ts'
import { createFileSearch, type FileSearch } from '../../src/tools/search/file-search.ts'
import { packagedRipgrep, systemRipgrep } from '../../src/tools/search/ripgrep-program.ts'
import { confinedTo } from '../sandbox/confined-to.ts'
import type { FileSpace } from './file-space.ts'
import { sandboxHere } from './sandbox-here.ts'

export interface TestedEngine {
  readonly title: string
  readonly findProgram: () => Promise<string | undefined>
}

const ripgreps: readonly TestedEngine[] = [
  { title: 'ripgrep of the package', findProgram: packagedRipgrep },
  { title: 'ripgrep of the system', findProgram: async () => systemRipgrep() },
]
const installed = await Promise.all(ripgreps.map(async ({ findProgram }) => findProgram()))

/** Those that run on this machine; the last one always does. */
export const enginesHere: readonly TestedEngine[] = [
  ...ripgreps.filter((_, index) => sandboxHere && installed[index] !== undefined),
  { title: 'our own', findProgram: async () => undefined },
]

/** One sandbox for a file of tests, which counts the commands it ran. */
export async function openSearchSandbox(): Promise<{
  searchIn(space: FileSpace, engine: TestedEngine): FileSearch
  runs(): number
  close(): Promise<void>
}> {
  const folder = mkdtempSync(join(tmpdir(), 'contextd-search-'))
  const sandbox = await openBubblewrap({ folder })
  let runs = 0
  const counted: Pick<Sandbox, 'run' | 'state'> = {
    state: sandbox.state,
    run(...args) {
      runs++
      return sandbox.run(...args)
    },
  }
  return {
    searchIn: ({ files, workspace }, { findProgram }) =>
      createFileSearch({
        sandbox: counted,
        limits: confinedTo(workspace).limits,
        ownFolders: [],
        files,
        findProgram,
      }),
    runs: () => runs,
    async close() {
      await sandbox.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
