/** The wrapped client shell, with a real shell and the built program. */

import { spawn } from 'node:child_process'
import { closeSync, existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { bundleScript, type BundledScript } from '../../test/support/bundled-script.ts'
import { scrubbedShellLine, withCaller } from '../clients/claude-code/hooks/scrub-shell.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import { serveHookSocket, type HookSocket } from '../servers/local/hook-socket.ts'

let home: string
let program: BundledScript
let daemon: HookSocket
const asked: JsonObject[] = []

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'contextd-shell-'))
  mkdirSync(join(home, 'run'), { mode: 0o700 })
  program = await bundleScript('src/cli/hook-shell.ts')
  daemon = await serveHookSocket(join(home, 'run', 'hook.sock'), {
    hook({ payload }) {
      const part = JSON.parse(payload as string) as JsonObject & { text: string }
      asked.push(part)
      return { output: { text: part.text.replaceAll('hunter2', '[SECRET]') } }
    },
  })
})
afterAll(async () => {
  daemon.close()
  program.remove()
  rmSync(home, { recursive: true })
})

interface Ran {
  readonly status: number | null
  readonly text: () => string
  /** The working folder for the next command. */
  readonly cwd: string
}

let runs = 0

/** Runs a command like the client: both outputs in one file, and the final working folder recorded. */
async function run(
  command: string,
  { line = ourLine(), env = {}, kill = '', alone = false } = {},
): Promise<Ran> {
  const name = join(home, `run-${runs++}`)
  const quoted = `'${command.replaceAll("'", `'"'"'`)}'`
  const script = `true && :\n${line}\n: && eval ${quoted} < /dev/null && pwd -P >| ${name}.cwd`
  const file = openSync(`${name}.output`, 'w')
  const child = spawn('/bin/bash', ['-c', script], {
    cwd: home,
    env: { PATH: process.env.PATH, CONTEXTD_HOME: home, TMPDIR: home, ...env },
    stdio: ['ignore', file, file],
    detached: true,
  })
  closeSync(file)
  if (kill !== '') {
    await until(() => existsSync(join(home, kill)))
    process.kill(alone ? child.pid! : -child.pid!, 'SIGTERM')
  }
  const status = await new Promise<number | null>((resolve) => child.once('exit', resolve))
  const text = (): string => readFileSync(`${name}.output`, 'utf8')
  const cwd = existsSync(`${name}.cwd`) ? readFileSync(`${name}.cwd`, 'utf8').trim() : ''
  return { status, text, cwd }
}

function ourLine(node: string = process.execPath): string {
  return scrubbedShellLine([node, program.path], { session: 'one', project: home, client: '7' })
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 20))
}

test('replaces a secret, whether the command succeeds or fails; without our line it is visible', async () => {
  const good = await run('echo hunter2')
  expect([good.status, good.text()]).toEqual([0, '[SECRET]\n'])
  const bad = await run('echo hunter2; echo hunter2 >&2; exit 3')
  expect([bad.status, bad.text()]).toEqual([3, '[SECRET]\n[SECRET]\n'])
  expect((await run('echo hunter2', { line: ':' })).text()).toBe('hunter2\n')
})

test.each([
  ['echo one; echo two >&2; echo three', 0, 'one\ntwo\nthree\n'],
  ['cat <<EOF\nhunter2\nEOF', 0, '[SECRET]\n'],
  ['trap "echo hunter2" EXIT; exit 5', 5, '[SECRET]\n'],
  ['echo hunter2; exec ls -d .', 0, '[SECRET]\n.\n'],
  ['kill -KILL $$', 137, ''],
  ['kill -TERM $$', 143, ''],
  ['cat', 0, ''],
  ["printf 'a\\377b'", 0, 'a\ufffdb'],
])('%j behaves as without contextd', async (command, status, text) => {
  const [ours, plain] = [await run(command), await run(command, { line: ':' })]
  expect([ours.status, ours.text()]).toEqual([status, text])
  expect(plain.text().replaceAll('hunter2', '[SECRET]')).toBe(text)
})

test('a command may reopen its output by name', async () => {
  const { text } = await run('echo a > /dev/stdout; echo b | tee /dev/stderr')
  expect(text()).toBe('a\nb\nb\n')
})

test('preserves the working folder after a command', async () => {
  expect((await run('mkdir -p below && cd below')).cwd).toBe(join(home, 'below'))
})

test('passes long output completely', async () => {
  const { text } = await run('for i in $(seq 40000); do echo "line $i of the output, hunter2"; done')
  const lines = text().trimEnd().split('\n')
  expect(lines).toHaveLength(40_000)
  expect(lines.every((line, index) => line === `line ${index + 1} of the output, [SECRET]`)).toBe(true)
})

test('shows output of a running command, and of one that was killed', async () => {
  const gone = await run('trap "echo hunter2 ends; exit 9" TERM; echo hunter2; : > began; sleep 30 & wait', {
    kill: 'began',
  })
  expect([gone.status, gone.text()]).toEqual([9, '[SECRET]\n[SECRET] ends\n'])
})

test('forwards a signal that only we receive to the command', async () => {
  const command = 'trap "echo ends; exit 9" TERM; : > alone; sleep 30 & wait'
  const gone = await run(command, { kill: 'alone', alone: true })
  expect([gone.status, gone.text()]).toEqual([9, 'ends\n'])
})

test('does not wait for background processes, which continue and are scrubbed too', async () => {
  const { status, text } = await run(
    '(until [ -e go ]; do sleep 0.05; done; echo hunter2 later; : > done) & echo now',
  )
  expect([status, text()]).toEqual([0, 'now\n'])
  await run(': > go')
  await until(() => text().includes('later') && existsSync(join(home, 'done')))
  expect(text()).toBe('now\n[SECRET] later\n')
})

test('tells the scrubber who runs the command, if named', async () => {
  asked.length = 0
  await run(withCaller('echo one', 'contextd:scanner'))
  await run('echo two')
  expect(asked).toEqual([
    expect.objectContaining({ session_id: 'one', cwd: home, text: 'one\n', agent_type: 'contextd:scanner' }),
    expect.not.objectContaining({ agent_type: expect.anything() }),
  ])
})

test('if the reader disconnects, the command continues and its status is returned', async () => {
  const args = [program.path, 'hook', 'shell', 'one', home, '/bin/bash', '-c']
  const env = { PATH: process.env.PATH, CONTEXTD_HOME: home, TMPDIR: home }
  const script = 'echo one; until [ -e deaf ]; do sleep 0.05; done; seq 100000; exit 6'
  const child = spawn(process.execPath, [...args, script], {
    cwd: home,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  // It may end before the other command does.
  const exited = new Promise((resolve) => child.once('exit', resolve))
  child.stdout.once('data', () => child.stdout.destroy())
  await new Promise((resolve) => child.stdout.once('close', resolve))
  await run(': > deaf')
  expect(await exited).toBe(6)
})

test('if scrubbing is impossible, output is withheld and the status preserved', async () => {
  const { status, text } = await run('echo hunter2; exit 4', { env: { CONTEXTD_HOME: join(home, 'nobody') } })
  expect(status).toBe(4)
  expect(text()).toMatch(/^\[contextd withheld this output: .*\]\n$/)
})

test('does not run the command if contextd is missing', async () => {
  const { status } = await run('echo it ran > ran.txt', { line: ourLine('/nowhere/node') })
  expect(status).toBeGreaterThanOrEqual(126)
  expect(existsSync(join(home, 'ran.txt'))).toBe(false)
  await run('echo it ran > ran.txt')
  expect(existsSync(join(home, 'ran.txt'))).toBe(true)
})

test('a name in the environment cannot bypass the wrapper', async () => {
  const { text } = await run('echo hunter2', { env: { CONTEXTD_SHELL: '1' } })
  expect(text()).toBe('[SECRET]\n')
})
