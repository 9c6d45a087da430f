import { spawn } from 'node:child_process'
import { setTimeout as wait } from 'node:timers/promises'

import { expect, onTestFinished, test } from 'vitest'

import { bundleScript } from '../../../test/support/bundled-script.ts'
import { testRepository } from '../../../test/support/repository.ts'

const files = 1500
const kills = 5

test('a process killed while indexing leaves complete files, and the next one continues from there', async () => {
  const many = Array.from({ length: files }, (_, at) => [
    `folder${at % 20}/file${at}.txt`,
    `${`word${at} of many `.repeat(20)}\n`.repeat(30),
  ])
  const { index, folder, store } = testRepository(Object.fromEntries(many) as Record<string, string>)
  const script = await bundleScript('test/support/indexing-loop.ts')
  onTestFinished(script.remove)
  const count = (sql: string): number =>
    Number(store.prepare(`SELECT count(*) AS count FROM ${sql}`).get()!.count)
  for (let kill = 0; kill < kills; kill++) {
    const child = spawn(process.execPath, [script.path, folder, store.path], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
    await new Promise((resolve) => child.stdout.once('data', resolve))
    await wait(kill * 3)
    child.kill('SIGKILL')
    await ended
    const known = count("indexed_files WHERE language <> ''")
    expect(known).toBeGreaterThan(0)
    expect(known).toBeLessThan(files)
    // Every indexed file has all its parts, and every part its words.
    expect(
      count(
        "indexed_files WHERE language <> '' AND NOT EXISTS (SELECT 1 FROM chunks WHERE file = indexed_files.seq)",
      ),
    ).toBe(0)
    expect(count('chunks WHERE NOT EXISTS (SELECT 1 FROM indexed_files WHERE seq = chunks.file)')).toBe(0)
    expect(count('chunk_words')).toBe(count('chunks'))
  }
  const before = count("indexed_files WHERE language <> ''")
  expect(await index.update(folder)).toMatchObject({
    isComplete: true,
    read: files - before,
    indexed: files - before,
  })
  expect(index.status(folder)).toMatchObject({ files })
})
