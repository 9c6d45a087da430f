import { spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { sandboxHere } from '../support/sandbox-here.ts'
import { bundleScript, type BundledScript } from '../support/bundled-script.ts'
import { attacks } from './attacks.ts'
import type { BatteryReport } from './battery-report.ts'
import { secret } from './layout.ts'
import { ordinaryWork } from './ordinary-work.ts'

const someUser = 61_234
const anotherUser = 61_235
const isRoot = process.getuid?.() === 0

/** Root meets what an ordinary user never would, and the other way round. */
const users = isRoot
  ? [...(sandboxHere ? [{ as: 'root', uid: 0 }] : []), { as: 'an ordinary user', uid: someUser }]
  : sandboxHere
    ? [{ as: 'an ordinary user', uid: process.getuid?.() ?? 0 }]
    : []

let runner: BundledScript
const reports = new Map<string, BatteryReport>()
const folders: string[] = []

beforeAll(async () => {
  if (!existsSync('/usr/bin/bwrap')) return
  runner = await bundleScript('test/sandbox/battery-runner.ts')
  const done = await Promise.allSettled(users.map(({ uid }) => runBattery(uid)))
  for (const [index, result] of done.entries()) {
    if (result.status === 'rejected') throw result.reason
    reports.set(users[index]!.as, result.value)
  }
}, 600_000)

afterAll(() => {
  runner?.remove()
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

describe.runIf(existsSync('/usr/bin/bwrap')).each(users)('as $as', ({ as, uid }) => {
  const outcomeOf = (name: string): BatteryReport['outcomes'][number] =>
    reports.get(as)!.outcomes.find((outcome) => outcome.name === name)!

  test('there is a sandbox, and it knows who runs it', () => {
    expect(reports.get(as)!.state).toMatchObject({ available: true, asRoot: uid === 0 })
  })

  test('ordinary work can be done in it', () => {
    expect(reports.get(as)!.ordinaryWork).toEqual(Object.keys(ordinaryWork))
  })

  test.each(attacks)('$topic: $name', ({ name, twin, mayBeAbsent, openWithNetwork }) => {
    const { inside, withNetwork, twin: proof } = outcomeOf(name)
    expect(inside.verdict, inside.log).toBeOneOf(['contained', 'absent'])
    if (withNetwork !== undefined && openWithNetwork === undefined) {
      expect(withNetwork.verdict, withNetwork.log).toBeOneOf(['contained', 'absent'])
    }
    if (twin.onlyRoot !== undefined && uid !== 0) return
    const proven = mayBeAbsent === undefined ? ['escaped'] : ['escaped', 'absent']
    expect(proof.verdict, `the twin saw no escape: ${proof.log}`).toBeOneOf(proven)
  })
})

test('there are many attacks, and no two by the same name', () => {
  expect(attacks.length).toBeGreaterThanOrEqual(70)
  expect(new Set(attacks.map(({ name }) => name)).size).toBe(attacks.length)
})

/** As this user, in a folder of its own, with things in reach that must not be found inside. */
async function runBattery(uid: number): Promise<BatteryReport> {
  const folder = mkdtempSync(join(tmpdir(), 'contextd-battery-'))
  folders.push(folder)
  const script = join(folder, 'runner.mjs')
  copyFileSync(runner.path, script)
  writeFileSync(join(folder, 'launcher-secret'), `${secret}\n`)
  mkdirSync(join(folder, 'programs'))
  if (isRoot) {
    for (const name of ['', 'runner.mjs', 'launcher-secret']) chownSync(join(folder, name), uid, uid)
    makeOtherUsersProgram(join(folder, 'programs', 'other-users-id'), uid)
  }
  const launch = 'exec 251< "$1/launcher-secret"; exec "$2" "$1/runner.mjs" "$1" --launcher-secret'
  const child = spawn('bash', ['-c', launch, 'bash', folder, nodeFor(folder, uid)], {
    ...(isRoot && { uid, gid: uid }),
    cwd: '/',
    env: { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', LAUNCHER_SECRET: secret },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let complaint = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complaint += text))
  const code = await new Promise((resolve) => child.once('close', resolve))
  if (code !== 0) throw new Error(`the battery ended with ${String(code)}: ${complaint}`)
  return JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')) as BatteryReport
}

/** Node, or a copy of it where it lies in a folder that is closed to this user. */
function nodeFor(folder: string, uid: number): string {
  if (!isRoot || spawnSync(process.execPath, ['--version'], { uid, gid: uid }).status === 0)
    return process.execPath
  const copy = join(folder, 'node')
  copyFileSync(process.execPath, copy)
  return copy
}

/** A set-user-id program that says who it runs as; none where this disk or machine gives such programs nothing. */
function makeOtherUsersProgram(path: string, uid: number): void {
  copyFileSync('/usr/bin/id', path)
  chownSync(path, anotherUser, anotherUser)
  chmodSync(path, 0o4755)
  const { stdout } = spawnSync(path, ['-u'], { uid, gid: uid, encoding: 'utf8' })
  if (stdout?.trim() !== String(anotherUser)) rmSync(path)
}
