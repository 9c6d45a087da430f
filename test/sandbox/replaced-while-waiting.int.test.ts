import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { sandboxHere } from '../support/sandbox-here.ts'
import { openBubblewrap } from '../../src/sandbox/bubblewrap.ts'
import type { Sandbox } from '../../src/sandbox/sandbox.ts'
import { confinedTo } from './confined-to.ts'
import { tempFolder } from './scratch.ts'

let scratch: ReturnType<typeof tempFolder>
let workspace: string
let file: string
let sandbox: Sandbox
beforeEach(async () => {
  scratch = tempFolder()
  workspace = join(scratch.path, 'workspace')
  mkdirSync(workspace)
  file = join(workspace, '.mcp.json')
  writeFileSync(file, '{}')
  sandbox = await openBubblewrap({ folder: join(scratch.path, 'state') })
})
afterEach(async () => {
  await sandbox.close()
  scratch.remove()
})

/** The way editors do it. */
function save(): void {
  writeFileSync(`${file}.new`, '{}')
  renameSync(`${file}.new`, file)
}

async function overwriteAfterSaving(guarded: string[]): Promise<string> {
  const command = (run: string) =>
    sandbox.run({ run, cwd: workspace, env: {} }, confinedTo(workspace, { guarded }))
  await command('true')
  // For a sandbox to be made ready for the next command, which is not told from outside.
  await sleep(500)
  const { ino } = statSync(file)
  // Twice, and the file has the number again that it had when the sandbox was made.
  for (let turn = 0; turn === 0 || (turn < 20 && statSync(file).ino !== ino); turn++) save()
  await command('echo evil > .mcp.json')
  return readFileSync(file, 'utf8')
}

// What is replaced loses its mount in every sandbox that waits: such a sandbox must not be used any more.
describe.runIf(sandboxHere)('a guarded file that was saved while a sandbox waited', () => {
  test('is guarded for the next command', async () => {
    for (let turn = 0; turn < 3; turn++) expect(await overwriteAfterSaving([file])).toBe('{}')
  })

  test('and the command would have overwritten it, were it not guarded', async () => {
    expect(await overwriteAfterSaving([])).toBe('evil\n')
  })
})
