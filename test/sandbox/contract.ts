/** What every driver promises about running a command, whatever confines it. */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import type { Command, Ended, SandboxLimits, Sandbox } from '../../src/sandbox/sandbox.ts'
import { confinedTo, roomyLimits } from './confined-to.ts'
import { tempFolder } from './scratch.ts'

export function sandboxContract(name: string, create: (folder: string) => Sandbox | Promise<Sandbox>): void {
  describe(`${name} keeps the contract`, () => {
    const scratch = tempFolder()
    const workspace = join(scratch.path, 'workspace')
    let sandbox: Sandbox

    beforeAll(async () => {
      mkdirSync(workspace)
      sandbox = await create(join(scratch.path, 'state'))
    })
    afterAll(async () => {
      await sandbox.close()
      scratch.remove()
    })

    const run = (
      command: Command['run'],
      { limits, ...more }: Partial<Command> & { limits?: Partial<SandboxLimits> } = {},
      signal?: AbortSignal,
    ): Promise<Ended> =>
      sandbox.run(
        { run: command, cwd: workspace, env: {}, ...more },
        confinedTo(workspace, { limits: { ...roomyLimits, ...limits } }),
        signal && { signal },
      )
    const text = async (command: Command['run'], more: Partial<Command> = {}): Promise<string> =>
      (await run(command, more)).stdout.toString()

    test('is available here', async () => {
      expect(await sandbox.state()).toMatchObject({ available: true })
    })

    test('keeps the two streams apart and tells the exit code', async () => {
      const ended = await run('echo out; echo err >&2; exit 7')
      expect(ended).toMatchObject({ exitCode: 7, movedAside: [] })
      expect([ended.stdout.toString(), ended.stderr.toString(), ended.limit]).toEqual([
        'out\n',
        'err\n',
        undefined,
      ])
    })

    test('a command that was ended by a signal says so as a shell does', async () => {
      expect(await run('kill -TERM $$')).toMatchObject({ exitCode: 143 })
    })

    test('programs can open their streams by name', async () => {
      expect(await text('echo a > /dev/stdout; cat /dev/stdin; echo b > /dev/stderr', { stdin: 'in ' })).toBe(
        'a\nin ',
      )
    })

    test('standard input arrives whole, and is empty where none is given', async () => {
      const long = 'x'.repeat(300_000)
      expect(await text('wc -c', { stdin: long })).toBe('300000\n')
      expect(await text('wc -c')).toBe('0\n')
    })

    test('a command that does not read its input ends all the same', async () => {
      expect(await run('exit 0', { stdin: 'x'.repeat(300_000) })).toMatchObject({ exitCode: 0 })
    })

    test('environment and folder are those that were given', async () => {
      const env = { GREETING: 'hello  "world"\n$HOME', EMPTY: '' }
      expect(await text('printf %s "$GREETING"; pwd; echo ${EMPTY-unset}', { env })).toBe(
        `hello  "world"\n$HOME${workspace}\n\n`,
      )
    })

    test('no name of a variable disturbs the way in', async () => {
      const env = { IFS: 'x', REPLY: '1', count: '0', args: 'a', next: 'b', PATH: '/usr/bin:/bin' }
      expect(await text(['printf', '%s|', '1', '2'], { env })).toBe('1|2|')
      expect(await text('echo $count $args $next', { env })).toBe('0 a b\n')
    })

    test('a program gets its arguments as they are', async () => {
      expect(await text(['printf', '%s|', 'a b', '$HOME', '', '*'])).toBe('a b|$HOME||*|')
    })

    test('lines of a command are counted from one, and nothing of ours is left in its shell', async () => {
      const { stderr } = await run('nonexistent-program\nset -u; echo $REPLY$__args')
      expect(stderr.toString()).toMatch(
        /line 1: nonexistent-program: command not found\n.*line 2: REPLY: unbound/,
      )
    })

    test('what it writes is there afterwards', async () => {
      await run('echo kept > file')
      expect(readFileSync(join(workspace, 'file'), 'utf8')).toBe('kept\n')
    })

    test('a folder that is not there is refused, without a word on where', async () => {
      const refused = run('true', { cwd: join(workspace, 'missing') })
      await expect(refused).rejects.toMatchObject({ code: 'PATH_NOT_GRANTED' })
      await expect(refused).rejects.not.toThrow(/missing/)
    })

    test('the channel carries both ways, and is closed where nobody wants it', async () => {
      let heard = ''
      const ended = await run('read -r line <&3; echo "got $line" >&3', {
        onChannel: (channel) => {
          channel.setEncoding('utf8').on('data', (chunk: string) => (heard += chunk))
          channel.write('ping\n')
        },
      })
      expect([ended.exitCode, heard]).toEqual([0, 'got ping\n'])
      expect(await text('{ true <&3; } 2>/dev/null && echo open || echo closed')).toBe('closed\n')
    })

    test('ends at its time limit, with what it wrote until then', async () => {
      let said = ''
      // A time in which a busy machine did not come as far as that is doubled.
      for (let timeMs = 500; said === ''; timeMs *= 2) {
        const ended = await run('echo early; sleep 600', { limits: { timeMs } })
        expect(ended).toMatchObject({ exitCode: 137, limit: 'time' })
        said = ended.stdout.toString()
      }
      expect(said).toBe('early\n')
    })

    test('a time that is too short for anything is a limit like any other', async () => {
      expect(await run('sleep 60', { limits: { timeMs: 1 } })).toMatchObject({ limit: 'time' })
    })

    test('ends when it writes too much, and keeps just so much', async () => {
      const ended = await run('yes', { limits: { outputBytes: 10_000 } })
      expect(ended).toMatchObject({ exitCode: 137, limit: 'output' })
      expect(ended.stdout.length + ended.stderr.length).toBe(10_000)
      // The twin: the same amount and one byte less is no reason.
      expect(await run('head -c 10000 /dev/zero', { limits: { outputBytes: 10_000 } })).not.toHaveProperty(
        'limit',
      )
    })

    test('ends when it is cancelled, before or while it runs', async () => {
      const reason = new Error('enough')
      await expect(run('sleep 60', {}, AbortSignal.abort(reason))).rejects.toBe(reason)
      const controller = new AbortController()
      const running = run('sleep 60', {}, controller.signal)
      await sleep(300)
      controller.abort(reason)
      await expect(running).rejects.toBe(reason)
      // The twin: a signal that is never given changes nothing.
      expect(await run('echo fine', {}, new AbortController().signal)).toMatchObject({ exitCode: 0 })
    })

    test('tells how it goes while it runs', async () => {
      const seen: number[] = []
      await sandbox.run({ run: 'echo 12345; sleep 2.5', cwd: workspace, env: {} }, confinedTo(workspace), {
        onProgress: ({ outputBytes }) => seen.push(outputBytes),
      })
      expect(seen).toContain(6)
    })

    test('fifty at once do not mix', async () => {
      const numbers = Array.from({ length: 50 }, (_, index) => String(index))
      const outputs = await Promise.all(numbers.map((number) => text('cat; sleep 0.1', { stdin: number })))
      expect(outputs).toEqual(numbers)
    })

    test('closing ends what runs', async () => {
      const other = await create(join(scratch.path, 'other'))
      writeFileSync(join(workspace, 'started'), '')
      const running = other.run(
        { run: 'echo go >> started; sleep 60', cwd: workspace, env: {} },
        confinedTo(workspace),
      )
      while (readFileSync(join(workspace, 'started'), 'utf8') === '') await sleep(20)
      await other.close()
      expect(await running).toMatchObject({ exitCode: 137 })
    })
  })
}
