import { spawnSync, type SpawnSyncReturns } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, expect, test } from 'vitest'

import {
  callerIn,
  claimsCaller,
  isShellWrapped,
  wrapShell,
  scrubbedShellLine,
  withCaller,
} from './scrub-shell.ts'

let settings: string
beforeEach(() => {
  settings = mkdtempSync(join(tmpdir(), 'contextd-place-'))
})
afterEach(() => rmSync(settings, { recursive: true }))

const program = ['/usr/bin/node', '/opt/contextd/bin/contextd.js']
const payload = { hook_event_name: 'SessionStart', session_id: 'one', cwd: '/work' }

function envOf(folder: string, pid = '7'): NodeJS.ProcessEnv {
  const CLAUDE_ENV_FILE = join(settings, 'session-env', folder, 'sessionstart-hook-0.sh')
  return { CLAUDE_CONFIG_DIR: settings, CLAUDE_PID: pid, CLAUDE_ENV_FILE }
}
const scriptOf = (session: string, name = 'sessionstart-hook-0.sh'): string =>
  readFileSync(join(settings, 'session-env', session, name), 'utf8')

test('the line starts the same shell once more, with words that no shell interprets', () => {
  const line = scrubbedShellLine(["/it's/node"], { session: 's', project: '/a b', client: '7' })
  expect(line).toContain(String.raw`exec '/it'\''s/node' 'hook' 'shell' 's' '/a b' `)
  expect(line).toMatch(
    /^\[ "\$\{CONTEXTD_SHELL-\}" = "\$PPID" \] \|\| exec .* \|\| exit 126 # contextd shell 7$/,
  )
})

test('a new session gets our line, one of another client process does not', () => {
  expect(isShellWrapped(payload, { env: envOf('one') })).toBe(false)
  wrapShell(payload, { env: envOf('one'), mode: 'friendly', program })
  expect(isShellWrapped(payload, { env: envOf('one') })).toBe(true)
  expect(isShellWrapped(payload, { env: envOf('one', '77') })).toBe(false)
  expect(isShellWrapped({ ...payload, session_id: 'two' }, { env: envOf('one') })).toBe(false)
})

test('writes nothing if the client names no file', () => {
  wrapShell(payload, { env: { CLAUDE_CONFIG_DIR: settings }, mode: 'friendly', program })
  expect(readdirSync(settings)).toEqual([])
})

test('a resumed session reads its own folder, whichever the client names', () => {
  wrapShell(payload, { env: envOf('another'), mode: 'friendly', program })
  expect(isShellWrapped(payload, { env: envOf('another') })).toBe(true)
})

test('removes our line of an earlier start, and keeps those of other hooks', () => {
  mkdirSync(join(settings, 'session-env', 'one'), { recursive: true })
  const other = join(settings, 'session-env', 'one', 'sessionstart-hook-3.sh')
  wrapShell(payload, { env: envOf('one', '6'), mode: 'friendly', program: ['/old/contextd'] })
  writeFileSync(other, `export A=1\n${scriptOf('one')}`)
  wrapShell(payload, { env: envOf('one'), mode: 'friendly', program })
  wrapShell(payload, { env: envOf('one'), mode: 'friendly', program })
  expect(scriptOf('one').match(/contextd shell/g)).toHaveLength(1)
  expect(scriptOf('one')).not.toContain('/old/')
  expect(readFileSync(other, 'utf8')).toBe('export A=1\n')
})

test('our line does not depend on what the client puts before the first one', () => {
  wrapShell(payload, { env: envOf('one'), mode: 'friendly', program })
  expect(scriptOf('one').split('\n')[0]).toBe(':')
})

test('passes the caller with the command, and refuses commands that name one themselves', () => {
  const command = withCaller('git status', 'contextd:scanner')
  expect(command.split('\n').slice(1)).toEqual(['git status'])
  expect(callerIn(`source x && eval '${command}' < /dev/null`)).toBe('contextd:scanner')
  expect(callerIn("eval 'git status'")).toBeUndefined()
  expect(claimsCaller(command)).toBe(true)
  expect(claimsCaller('git status # contextd')).toBe(false)
})

test('in strict mode, the shell exits before any command, with the reason', () => {
  wrapShell(payload, { env: envOf('one'), mode: 'strict', program })
  expect(isShellWrapped(payload, { env: envOf('one') })).toBe(false)
  const run = (): SpawnSyncReturns<string> =>
    // With a socket as stdin, bash reads the machine's startup files, which may print anything.
    spawnSync('bash', ['-c', `true && ${scriptOf('one')}\necho ran`], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  expect(run()).toMatchObject({ status: 126, stdout: '', stderr: expect.stringContaining('strict mode') })
  wrapShell(payload, { env: envOf('one'), mode: 'friendly', program: ['/bin/true'] })
  expect(scriptOf('one')).not.toContain('strict')
  expect(run()).toMatchObject({ status: 0, stderr: '' })
})
