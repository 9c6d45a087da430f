import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { temporaryFolder } from '../../../test/support/audit.ts'
import { fakeIo } from '@contextd/shared/testing/cli-io'
import { openInEditor } from './open-editor.ts'

const openWith = (editor: NodeJS.ProcessEnv, path: string): Promise<void> =>
  openInEditor(path, fakeIo({ env: { PATH: process.env.PATH, ...editor }, cwd: temporaryFolder() }).io)

test("opens the user's editor with the file and waits for it, for any file name", async () => {
  const path = join(temporaryFolder(), 'a "$HOME" file.md')
  writeFileSync(path, 'before')
  // With options, as in `code --wait`.
  await openWith({ VISUAL: 'cp /dev/null', EDITOR: 'false' }, path)
  expect(readFileSync(path, 'utf8')).toBe('')
})

test('a failing or missing editor changes nothing and is reported', async () => {
  const path = join(temporaryFolder(), 'memory.md')
  await expect(openWith({ EDITOR: 'false' }, path)).rejects.toThrow('the editor exited with 1')
  await expect(openWith({ EDITOR: 'no-such-editor 2>&-' }, path)).rejects.toThrow(
    'the editor exited with 127',
  )
})
