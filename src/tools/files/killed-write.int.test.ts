import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'

import { expect, onTestFinished, test } from 'vitest'

import { bundleScript } from '../../../test/support/bundled-script.ts'
import { fileSpace } from '../../../test/support/file-space.ts'
import { sweepUnfinished } from './unfinished-writes.ts'

const kills = 6
/** Further ones, where none of them caught a write in the middle. */
const maxKills = 200

test('a writer that is killed leaves a whole file, and only leftovers that are found again', async () => {
  const space = fileSpace()
  const script = await bundleScript('test/support/write-loop.ts')
  onTestFinished(script.remove)
  let left = 0
  for (let kill = 0; kill < kills || (left === 0 && kill < maxKills); kill++) {
    const child = spawn(process.execPath, [script.path, space.workspace, space.notes], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
    await new Promise<void>((resolve) => child.stdout.once('data', () => resolve()))
    await wait(kill * 5)
    child.kill('SIGKILL')
    await ended
    left += readdirSync(space.workspace).length - 1
    await sweepUnfinished(space.notes)
    expect(readdirSync(space.workspace)).toEqual(['file'])
    expect(readdirSync(space.notes)).toEqual([])
    const [first, ...others] = new Set(
      readFileSync(`${space.workspace}/file`, 'utf8').split('\n').slice(0, -1),
    )
    expect(first).toMatch(/^round \d+$/)
    expect(others).toEqual([])
  }
  // The test is worth something: some were caught in the middle.
  expect(left).toBeGreaterThan(0)
})
