import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'

import { afterAll, describe, expect, test } from 'vitest'

import { until } from '../testing/until.ts'
import { isAlive, outputOf, ProgramError } from './process.ts'

const place = { cwd: tmpdir(), env: { PATH: process.env.PATH } }

async function outputOfScript(script: string, input?: string): Promise<string> {
  const parts: Buffer[] = []
  const options = { ...place, ...(input !== undefined && { input }) }
  for await (const part of outputOf(process.execPath, ['-e', script], options)) parts.push(part)
  return Buffer.concat(parts).toString()
}

test('outputOf passes input and streams the output', async () => {
  expect(await outputOfScript('process.stdin.pipe(process.stdout)', 'some text')).toBe('some text')
  expect(await outputOfScript('process.stdout.write("x".repeat(1e6))')).toHaveLength(1_000_000)
})

test('outputOf throws with stderr if the program fails, after its output', async () => {
  const failed = outputOfScript('console.error("no " + "good ".repeat(1e4)); process.exitCode = 3')
  await expect(failed).rejects.toMatchObject({
    kind: 'failed',
    message: expect.stringContaining('3') as string,
  })
  const error = await failed.catch((thrown: unknown) => thrown as ProgramError)
  expect((error as ProgramError).complaint).toMatch(/^no good /)
  expect((error as ProgramError).complaint.length).toBeLessThan(10_000)
})

test('outputOf reports a missing program', async () => {
  const missing = outputOf('no-such-program-anywhere', [], place).next()
  await expect(missing).rejects.toMatchObject({ name: 'ProgramError', kind: 'missing' })
})

describe('a folder in PATH that fails with EACCES', () => {
  const folder = mkdtempSync(join(tmpdir(), 'contextd-path-'))
  const unreadable = join(folder, 'unreadable')
  mkdirSync(unreadable, { mode: 0o000 })
  mkdirSync(join(folder, 'a-folder'))
  writeFileSync(join(folder, 'not-executable'), '#!/bin/sh\n', { mode: 0o600 })
  afterAll(() => rmSync(folder, { recursive: true }))

  const started = (name: string, ...path: string[]) =>
    outputOf(name, [], { ...place, env: { PATH: path.join(delimiter) } }).next()

  test.each([
    // File modes do not apply to root; the second row fails with EACCES for everyone.
    ['cannot be searched', 'no-such-program-anywhere', unreadable],
    ['holds a folder of that name', 'a-folder', folder],
  ])('does not hide a missing program: it %s', async (_, name, path) => {
    await expect(started(name, path)).rejects.toMatchObject({ kind: 'missing' })
    await expect(started(name, path, '/usr/bin')).rejects.toMatchObject({ kind: 'missing' })
  })

  test('is distinguished from a program that may not be executed', async () => {
    await expect(started('not-executable', folder)).rejects.toMatchObject({ kind: 'failed' })
    await expect(started(join(folder, 'not-executable'))).rejects.toMatchObject({ kind: 'failed' })
  })

  test('does not hide a program in a later folder', async () => {
    expect(await started('true', unreadable, '/usr/bin', '/bin')).toMatchObject({ done: true })
  })
})

test('outputOf ends a program whose signal aborts', async () => {
  const controller = new AbortController()
  const script = 'process.stdout.write(String(process.pid)); setInterval(() => {}, 1000)'
  const output = outputOf(process.execPath, ['-e', script], { ...place, signal: controller.signal })
  const pid = Number(String((await output.next()).value))
  expect(isAlive(pid)).toBe(true)
  controller.abort()
  await expect(output.next()).rejects.toMatchObject({ name: 'ProgramError', kind: 'failed' })
  await until(() => !isAlive(pid))
})

test('outputOf ends a program if the reader stops early', async () => {
  const script = 'process.stdout.write(String(process.pid)); setInterval(() => {}, 1000)'
  let pid = 0
  for await (const part of outputOf(process.execPath, ['-e', script], place)) {
    pid = Number(part.toString())
    expect(isAlive(pid)).toBe(true)
    break
  }
  await until(() => !isAlive(pid))
})
