import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { temporaryFolder } from '../../../../test/support/audit.ts'
import { fakeIo } from '@contextd/shared/testing/cli-io'
import { openInEditor } from './change.ts'

const openWith = (editor: NodeJS.ProcessEnv, path: string): Promise<void> =>
  openInEditor(path, fakeIo({ env: { PATH: process.env.PATH, ...editor }, cwd: temporaryFolder() }).io)

test('the editor of the person has the file until it ends, whatever the file is called', async () => {
  const path = join(temporaryFolder(), 'a "$HOME" file.md')
  writeFileSync(path, 'before')
  // Options of its own, as in `code --wait`.
  await openWith({ VISUAL: 'cp /dev/null', EDITOR: 'false' }, path)
  expect(readFileSync(path, 'utf8')).toBe('')
})

test('one that fails, or is not there, changes nothing and is named as the reason', async () => {
  const path = join(temporaryFolder(), 'memory.md')
  await expect(openWith({ EDITOR: 'false' }, path)).rejects.toThrow('the editor exited with 1')
  await expect(openWith({ EDITOR: 'no-such-editor 2>&-' }, path)).rejects.toThrow(
    'the editor exited with 127',
  )
})
