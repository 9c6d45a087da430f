import { existsSync, readdirSync, symlinkSync, writeFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { fileSpace } from '../../../test/support/file-space.ts'
import { newTemporaryName, recordUnfinished, sweepUnfinished } from './unfinished-writes.ts'

/** No process has it: the kernel counts no further than four million. */
const nobody = 99_999_999

function leave(notes: string, pid: number, temporary: string): void {
  mkdirSync(notes, { recursive: true })
  symlinkSync(temporary, join(notes, `${pid}-${readdirSync(notes).length}`))
}

test('what a killed process left is removed, what a living one has under way is not', async () => {
  const space = fileSpace()
  const [left, mine] = [newTemporaryName(), newTemporaryName()].map((name) => space.put(name, 'half')) as [
    string,
    string,
  ]
  leave(space.notes, nobody, left)
  const finished = recordUnfinished(space.notes, mine)
  await sweepUnfinished(space.notes)
  expect(existsSync(left)).toBe(false)
  expect(existsSync(mine)).toBe(true)
  expect(readdirSync(space.notes)).toHaveLength(1)
  finished()
  expect(readdirSync(space.notes)).toEqual([])
})

test('nothing is removed but what we made, where we made it', async () => {
  const space = fileSpace()
  const name = newTemporaryName()
  writeFileSync(join(space.outside, name), 'not ours')
  symlinkSync(space.outside, join(space.workspace, 'moved'))
  const precious = space.put('precious', 'keep')
  leave(space.notes, nobody, join(space.workspace, 'moved', name))
  leave(space.notes, nobody, precious)
  leave(space.notes, nobody, join(space.workspace, 'gone', name))
  await sweepUnfinished(space.notes)
  expect(existsSync(join(space.outside, name))).toBe(true)
  expect(existsSync(precious)).toBe(true)
  expect(readdirSync(space.notes)).toEqual([])
})

test('without notes there is nothing to do', async () => {
  await expect(sweepUnfinished(fileSpace().notes)).resolves.toBeUndefined()
})
