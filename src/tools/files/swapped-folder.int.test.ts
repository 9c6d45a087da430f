/** Somebody in the workspace swaps a folder with a link to outside, for real, while files are read and written. */

import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

import { expect, onTestFinished, test } from 'vitest'

import { fileSpace, noPdf, type FileSpace } from '../../../test/support/file-space.ts'
import { startSwapping } from '../../../test/support/swap-attacker.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import { safeRead } from '../builtin/safe-read.ts'
import { safeWrite } from '../builtin/safe-write.ts'

const rounds = 2400
/** A disk that has to be waited for is waited for by all of them. */
const atOnce = 8
/** The careless way is tried until it is caught, but not for ever. */
const maxAttempts = 400_000

async function underAttack(): Promise<{ space: FileSpace; path: string }> {
  const space = fileSpace()
  space.put('d/f', 'inside')
  space.put(join(space.outside, 'f'), 'outside')
  const attacker = await startSwapping(space.workspace, space.outside)
  onTestFinished(attacker.stop)
  return { space, path: join(attacker.path, 'f') }
}

/** What people write first: look where it leads, then open it. */
function carelessPath(space: FileSpace, path: string): string {
  const real = realpathSync(path)
  if (!real.startsWith(`${space.workspace}/`)) throw new Error('refused')
  return path
}

test('not one of many reads leaks', async () => {
  const { space, path } = await underAttack()
  const tool = safeRead(space.files, noPdf)
  const seen = new Map<string, number>()
  for (let round = 0; round < rounds; round++) {
    const result = await space.run(tool, { path })
    const what = typeof result === 'string' ? result : (result.text as string)
    seen.set(what, (seen.get(what) ?? 0) + 1)
  }
  expect(seen.get('1\tinside')).toBeGreaterThan(0)
  for (const what of seen.keys()) expect(['1\tinside', 'PATH_NOT_GRANTED']).toContain(what)
})

test('the careless way leaks under the same attack', async () => {
  const { space, path } = await underAttack()
  let leaked = false
  for (let tried = 0; tried < maxAttempts && !leaked; tried++) {
    try {
      leaked = readFileSync(carelessPath(space, path), 'utf8') === 'outside'
    } catch {
      // Swapped at another moment.
    }
  }
  expect(leaked).toBe(true)
})

test('not one of many writes lands outside, whether the file is new or not', async () => {
  const { space, path } = await underAttack()
  const tool = safeWrite(space.files)
  const folder = dirname(path)
  const writeOnce = async (round: number): Promise<JsonObject | string> => {
    const content = 'written'
    switch (round % 4) {
      case 0:
        await space.run(safeRead(space.files, noPdf), { path })
        return space.run(tool, { path, content })
      case 1:
        return space.run(tool, { path, content, append: true })
      case 2:
        return space.run(tool, { path: `${folder}/new-${round}`, content })
      default:
        return space.run(tool, { path: `${folder}/deep-${round}/x`, content })
    }
  }
  const refusals = new Set<string>()
  let written = 0
  for (let round = 0; round < rounds; round += atOnce) {
    for (const result of await Promise.all(Array.from({ length: atOnce }, (_, n) => writeOnce(round + n)))) {
      if (typeof result === 'string') refusals.add(result)
      else written++
    }
  }
  expect(readdirSync(space.outside)).toEqual(['f'])
  expect(readFileSync(join(space.outside, 'f'), 'utf8')).toBe('outside')
  expect(written).toBeGreaterThan(0)
  const known = ['PATH_NOT_GRANTED', 'FILE_NOT_READ', 'FILE_CHANGED', 'FILE_UNSUITABLE']
  for (const code of refusals) expect(known).toContain(code)
  expect(readdirSync(space.notes)).toEqual([])
})

test('the careless way writes outside under the same attack', async () => {
  const { space, path } = await underAttack()
  const landed = join(space.outside, 'new')
  for (let tried = 0; tried < maxAttempts && !existsSync(landed); tried++) {
    try {
      writeFileSync(join(carelessPath(space, dirname(path)), 'new'), 'written')
    } catch {
      // Swapped at another moment.
    }
  }
  expect(existsSync(landed)).toBe(true)
})

test('a pipe neither blocks nor answers', async () => {
  const space = fileSpace()
  mkdirSync(join(space.workspace, 'pipes'))
  execFileSync('mkfifo', [join(space.workspace, 'pipes/p')])
  expect(await space.run(safeRead(space.files, noPdf), { path: 'pipes/p' })).toBe('FILE_UNSUITABLE')
  expect(await space.run(safeWrite(space.files), { path: 'pipes/p', content: 'x' })).toBe('FILE_UNSUITABLE')
  expect(await space.run(safeWrite(space.files), { path: 'pipes/p', content: 'x', append: true })).toBe(
    'FILE_UNSUITABLE',
  )
})
