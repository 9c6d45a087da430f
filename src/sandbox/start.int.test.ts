import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { confinedTo, roomyLimits } from '../../test/sandbox/confined-to.ts'
import { tempFolder } from '../../test/sandbox/scratch.ts'
import { sandboxHere } from '../../test/support/sandbox-here.ts'
import { until } from '@contextd/shared/testing/until'
import { openBubblewrap } from './bubblewrap.ts'
import type { Confinement, Sandbox, Started } from './sandbox.ts'
import { createUnconfined } from './unconfined.ts'

const scratch = tempFolder()
const workspace = join(scratch.path, 'workspace')
beforeAll(() => mkdirSync(workspace))
afterAll(() => scratch.remove())

/** A bash loop that answers each line with the same in brackets. */
const echo = 'while read -r line; do echo "[$line]"; done; exit 9'

function linesOf({ stdout }: Started): AsyncIterableIterator<string> {
  return createInterface({ input: stdout })[Symbol.asyncIterator]()
}

const drivers: [name: string, runs: boolean, create: (folder: string) => Sandbox | Promise<Sandbox>][] = [
  ['bubblewrap', sandboxHere, (folder) => openBubblewrap({ folder })],
  ['mode "off"', true, (folder) => createUnconfined({ folder })],
]

for (const [name, runs, create] of drivers) {
  describe.runIf(runs)(`a long-running program with ${name}`, () => {
    let sandbox: Sandbox
    beforeAll(async () => {
      sandbox = await create(join(scratch.path, name))
    })
    afterAll(() => sandbox.close())
    const start = (run: string, more: Partial<Confinement> = {}, env: Record<string, string> = {}) =>
      sandbox.start({ run, cwd: workspace, env }, confinedTo(workspace, more))

    test('reads input and writes output until its input ends', async () => {
      const started = await start(echo)
      const lines = linesOf(started)
      for (const text of ['one', 'two']) {
        started.stdin.write(`${text}\n`)
        expect((await lines.next()).value).toBe(`[${text}]`)
      }
      started.stdin.end()
      expect(await started.ended).toEqual({ exitCode: 9 })
    })

    test('receives its variables, and can write to standard error', async () => {
      const started = await start('echo "$GIVEN" >&2', {}, { GIVEN: 'a value' })
      const said: string[] = []
      started.stderr.on('data', (chunk: Buffer) => said.push(chunk.toString()))
      await started.ended
      expect(said.join('')).toBe('a value\n')
    })

    test('is not subject to the time limit of a command', async () => {
      const started = await start('sleep 0.3; echo still here', { limits: { ...roomyLimits, timeMs: 50 } })
      expect((await linesOf(started).next()).value).toBe('still here')
    })

    test('is killed with everything it started', async () => {
      // Their sleep time identifies them.
      const mark = `600.${process.pid}${name.length}`
      const started = await start(`sleep ${mark} & sleep ${mark} & echo up; exec sleep ${mark}`)
      await linesOf(started).next()
      await until(() => sleeping(mark).length === 3)
      started.kill()
      await started.ended
      expect(sleeping(mark)).toEqual([])
    })

    test('does not affect commands, at the same time and afterwards', async () => {
      const started = await start(echo)
      const run = () =>
        sandbox.run({ run: 'echo $((6 * 7))', cwd: workspace, env: {} }, confinedTo(workspace))
      for (let count = 0; count < 3; count++) expect((await run()).stdout.toString()).toBe('42\n')
      const lines = linesOf(started)
      started.stdin.write('x\n')
      expect((await lines.next()).value).toBe('[x]')
      started.kill()
      await started.ended
      expect((await run()).stdout.toString()).toBe('42\n')
    })

    test('is killed when the sandbox is closed', async () => {
      const own = await create(join(scratch.path, `${name} of its own`))
      const started = await own.start({ run: echo, cwd: workspace, env: {} }, confinedTo(workspace))
      await own.close()
      expect((await started.ended).exitCode).toBeGreaterThan(128)
    })
  })
}

describe.runIf(sandboxHere)('inside the sandbox', () => {
  let sandbox: Sandbox
  beforeAll(async () => {
    sandbox = await openBubblewrap({ folder: join(scratch.path, 'inside') })
  })
  afterAll(() => sandbox.close())

  test('still limits memory', async () => {
    const eat = 'head -c 200000000 /dev/zero | tail -n 1 | wc -c; sleep 600'
    const tight = await sandbox.start(
      { run: eat, cwd: workspace, env: {} },
      confinedTo(workspace, { limits: { ...roomyLimits, memoryBytes: 64 << 20 } }),
    )
    const roomy = await sandbox.start(
      { run: eat, cwd: workspace, env: {} },
      confinedTo(workspace, { limits: { ...roomyLimits, memoryBytes: 1 << 30 } }),
    )
    expect((await linesOf(roomy).next()).value).toBe('200000000')
    expect((await linesOf(tight).next()).value).not.toBe('200000000')
    for (const each of [tight, roomy]) {
      each.kill()
      await each.ended
    }
  })

  test('does not start if a guarded path is missing; an existing one cannot be written', async () => {
    const guarded = join(workspace, '.mcp.json')
    const start = () =>
      sandbox.start(
        { run: 'echo evil > .mcp.json; echo fine > other; echo done', cwd: workspace, env: {} },
        confinedTo(workspace, { guarded: [guarded] }),
      )
    await expect(start()).rejects.toMatchObject({ code: 'SANDBOX_UNAVAILABLE' })
    expect(existsSync(join(workspace, 'other'))).toBe(false)
    writeFileSync(guarded, '{}')
    const started = await start()
    expect((await linesOf(started).next()).value).toBe('done')
    await started.ended
    expect([readFileSync(guarded, 'utf8'), readFileSync(join(workspace, 'other'), 'utf8')]).toEqual([
      '{}',
      'fine\n',
    ])
  })
})

test('does not start anything without bubblewrap', async () => {
  const sandbox = await openBubblewrap({ folder: join(scratch.path, 'none'), places: ['/nonexistent/bwrap'] })
  const started = sandbox.start({ run: 'true', cwd: workspace, env: {} }, confinedTo(workspace))
  await expect(started).rejects.toMatchObject({ code: 'SANDBOX_UNAVAILABLE' })
})

/** Seen from outside, where the sandbox's processes are ordinary ones. */
function sleeping(mark: string): string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes(mark)
    } catch {
      return false
    }
  })
}
