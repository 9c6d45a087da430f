import { afterEach, beforeEach } from 'vitest'

import type { Editor } from '../../src/cli/commands/memory/change.ts'
import { memoryCommand } from '../../src/cli/commands/memory/memory.ts'
import { runCli } from '@contextd/shared/cli/output'
import { openRecords } from '../../src/compose.ts'
import { fakeIo, type FakeIo } from '@contextd/shared/testing/cli-io'
import { makeTempHome, type TempHome } from './temp-home.ts'

export interface Setting {
  /** The user's input at the terminal. */
  readonly answer?: string
  readonly piped?: string
  /** Width of the terminal, if there is one. */
  readonly columns?: number
  readonly env?: NodeJS.ProcessEnv
  readonly editor?: Editor
}

export interface Listed {
  readonly memories: readonly ({ id: string; title: string; content: string } & Record<string, unknown>)[]
  readonly total: number
  readonly next?: number
}

export interface MemoryCommand {
  readonly home: () => TempHome
  run(argv: readonly string[], setting?: Setting): Promise<FakeIo>
  /** The output with `--json`. */
  json<T = Record<string, unknown>>(argv: readonly string[], setting?: Setting): Promise<T>
  /** Imports these lines, or three lessons. */
  seed(...lines: string[]): Promise<FakeIo>
  ids(): Promise<string[]>
  /** The records, newest first. */
  events(): unknown[]
}

/** `ctxd memory` in a temporary home for each test of the file, without an embedder. */
export function memoryCommandHere(): MemoryCommand {
  let home: TempHome
  beforeEach(() => {
    home = makeTempHome()
    home.write('config/config.toml', '[memory]\nembedder = "off"\n')
  })
  afterEach(() => home.remove())

  const run: MemoryCommand['run'] = async (argv, { answer, piped, columns, env, editor } = {}) => {
    const fake = fakeIo({
      env: { ...home.env, ...env, NO_COLOR: '1' },
      cwd: home.project,
      answer,
      ...(columns !== undefined && { columns }),
    })
    const stdin = (async function* () {
      yield Buffer.from(piped ?? '')
    })()
    const io = { ...fake.io, stdin }
    await runCli(memoryCommand(io, editor), io, argv)
    return fake
  }
  const json: MemoryCommand['json'] = async (argv, setting) => {
    const fake = await run([...argv, '--json'], setting)
    return JSON.parse(fake.out() || fake.err())
  }
  return {
    home: () => home,
    run,
    json,
    seed: (...lines) =>
      run(['import', '-'], {
        piped: (lines.length > 0 ? lines : [1, 2, 3].map((n) => lesson(n))).join('\n'),
      }),
    ids: async () => (await json<Listed>(['list', '--merged'])).memories.map(({ id }) => id),
    events() {
      const records = openRecords(home.env)
      try {
        return records.audit
          .query({ kind: 'event' })
          .map(({ event, details }) => Object.assign({ event }, details))
          .filter(({ event }) => String(event).startsWith('memory-'))
      } finally {
        records.close()
      }
    },
  }
}

/** A line of JSON. */
export function lesson(n: number, more: object = {}): string {
  return JSON.stringify({
    id: `mem_${n}`,
    title: `Lesson ${n}`,
    description: `When ${n}, not else`,
    content: `Do ${n}.`,
    outcome: n % 2 === 0 ? 'success' : 'failure',
    tags: [n % 2 === 0 ? 'even' : 'odd'],
    created: `2026-01-0${n}T00:00:00.000Z`,
    ...more,
  })
}
