// What a search costs through safe_grep, compared with the same ripgrep run directly; the two alternate.
import { execFile } from 'node:child_process'
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { composeRuntime } from '../src/compose.ts'
import { findRipgrep } from '../src/tools/search/ripgrep-program.ts'
import { inTurns } from './sandbox.ts'
import type { Comparison } from './support/statistics.ts'

const folders = 100
const filesPerFolder = 100
const linesPerFile = 60

/** 10,000 files; 200 lines match, in 200 files. */
function writeTree(workspace: string): void {
  for (let folder = 0; folder < folders; folder++) {
    mkdirSync(join(workspace, `folder${folder}`), { recursive: true })
    for (let file = 0; file < filesPerFolder; file++) {
      const lines = Array.from(
        { length: linesPerFile },
        (_, line) => `const value${line} = compute(${folder}, ${file}, ${line}) // ordinary words\n`,
      )
      if (file % 50 === 0) lines.push('a needle here\n')
      writeFileSync(join(workspace, `folder${folder}`, `file${file}.ts`), lines.join(''))
    }
  }
}

/** `safe_grep` of 10,000 files through the pipeline, compared with a bare `rg`; undefined without ripgrep. */
export async function measureSearch(
  home: string,
  mode: 'content' | 'count',
): Promise<Comparison | undefined> {
  const program = await findRipgrep()
  if (program === undefined) return undefined
  const folder = join(home, `search-${mode}`)
  mkdirSync(folder)
  const workspace = realpathSync(folder)
  writeTree(workspace)
  const runtime = await composeRuntime({
    env: { CONTEXTD_HOME: join(home, `search-home-${mode}`) },
    cwd: workspace,
    log: () => {},
  })
  const client = { name: 'bench', version: '1', door: 'cli' } as const
  const session = runtime.sessions.begin(client)
  const signal = new AbortController().signal
  const ours = async (): Promise<void> => {
    const call = { method: 'tool', tool: 'safe_grep', arguments: { pattern: 'needle', mode } } as const
    const result = await runtime.handle(runtime.newCall({ ...call, session, client, claims: {}, signal }))
    if (!JSON.stringify(result).includes('200 lines in 200 files')) throw new Error(JSON.stringify(result))
  }
  const bare = promisify(execFile)
  const theirs = (): Promise<unknown> =>
    bare(program, ['--no-config', '--hidden', '--line-number', 'needle', './'], { cwd: workspace })
  const result = await inTurns(15, ours, theirs, 80)
  await runtime.close()
  return result
}
