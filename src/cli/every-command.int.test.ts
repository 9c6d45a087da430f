import type { Command, Option } from 'commander'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { fakeIo, type FakeIo } from '@contextd/shared/testing/cli-io'
import { makeTempHome, type TempHome } from '../../test/support/temp-home.ts'
import { isJsonObject } from '@contextd/shared/json/value'
import { errorCatalogue, type ErrorCode } from '../core/errors/errors.ts'
import { ctxdProgram, programFor } from './ctxd-program.ts'
import { runCli } from '@contextd/shared/cli/output'

let home: TempHome
beforeEach(() => (home = makeTempHome()))
afterEach(() => home.remove())

/** Starts a program of the build; covered by `ctxd.int.test.ts`. */
const elsewhere = new Set(['start', 'server start', 'serve', 'mcp serve', 'hook', 'door'])

function leavesOf(command: Command, path: readonly string[] = []): [path: string, words: string[]][] {
  const inside = command.commands.flatMap((child) => leavesOf(child, [...path, child.name()]))
  return inside.length > 0 ? inside : [[path.join(' '), [...path, ...minOf(command)]]]
}

/** Placeholder values for required arguments. */
function minOf({ registeredArguments, options }: Command): string[] {
  return [
    ...registeredArguments.filter(({ required }) => required).map(({ argChoices }) => argChoices?.[0] ?? 'x'),
    ...options.filter(isNeeded).flatMap(({ long, argChoices }) => [long ?? '', argChoices?.[0] ?? 'x']),
  ]
}

function isNeeded({ mandatory, defaultValue }: Option): boolean {
  return mandatory && defaultValue === undefined
}

async function run(argv: readonly string[]): Promise<FakeIo> {
  const fake = fakeIo({
    env: { ...home.env, PATH: process.env.PATH, HOME: home.path, EDITOR: 'true' },
    cwd: home.project,
  })
  const io = { ...fake.io, stdin: nothing() }
  await runCli(await programFor(argv, io), io, argv)
  return fake
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

/** One JSON value, or one per line. */
function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
      .trimEnd()
      .split('\n')
      .map((line): unknown => JSON.parse(line))
  }
}

const leaves = leavesOf(await ctxdProgram(() => true)).filter(([path]) => !elsewhere.has(path))

describe('with --json in an empty home', () => {
  test('finds commands', () => {
    expect(leaves.length).toBeGreaterThan(50)
  })

  test.each([['ctxd alone', []] as [string, string[]], ...leaves])('%s', async (_, words) => {
    const { out, err, code } = await run([...words, '--json'])
    expect(out() + err()).not.toMatch(/^\s+at .*:\d+:\d+/m)
    if (out() !== '') readJson(out())
    if (code() === 0 && err() === '') return
    const said = err()
      .split('\n')
      .filter((line) => line.startsWith('{'))
    if (code() !== 0 && out() === '') expect(said).toHaveLength(1)
    for (const line of said) {
      const { error } = JSON.parse(line) as { error: { code: ErrorCode; message: string } }
      expect(isJsonObject(error)).toBe(true)
      expect(error.message).toMatch(/\S/)
      expect(error.code).not.toBe('INTERNAL')
      expect(code()).toBe(errorCatalogue[error.code].exit)
    }
  })
})

/** Read-only commands print no stack traces and no partial output. */
describe('without --json in an empty home', () => {
  test.each(leaves)('%s', async (_, words) => {
    const { out, err, code } = await run(words)
    expect(out() + err()).not.toMatch(/^\s+at .*:\d+:\d+/m)
    expect(out() + err()).not.toMatch(/\bundefined\b|\[object Object\]|\bNaN\b|^INTERNAL/m)
    if (code() !== 0 && out() === '') expect(err()).toMatch(/^[A-Z_]+: \S/m)
  })
})
