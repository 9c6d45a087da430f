import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { sandboxHere } from '../../../test/support/sandbox-here.ts'
import { gateLines } from '../gate.ts'
import { refusalEnv, refuseScript } from './refuse.ts'

let folder = ''

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ctxd-refuse-'))
  writeFileSync(join(folder, 'refuse.cjs'), refuseScript)
})

afterEach(() => rmSync(folder, { recursive: true }))

/** Runs a command where the proxy listens, as the gate starts it; answers the output, followed by the reports. */
function inside(command: string, perl: string): string {
  const lines = gateLines(undefined, { refusal: { node: process.execPath, refusal: '/mnt/refuse.cjs' } })
  const start = lines
    .slice(0, lines.indexOf("printf 'ready\\n' >&4"))
    .map((line) => line.replaceAll('/usr/bin/perl', perl))
  const script = ['exec 4>/mnt/reports', ...start, command, 'cat /mnt/reports'].join('\n')
  const args = [
    '--unshare-all --die-with-parent --new-session --cap-drop ALL --clearenv --ro-bind / /'.split(' '),
    [
      '--proc',
      '/proc',
      '--dev',
      '/dev',
      '--tmpfs',
      '/mnt',
      '--ro-bind',
      join(folder, 'refuse.cjs'),
      '/mnt/refuse.cjs',
    ],
    Object.entries({ ...refusalEnv, PATH: '/usr/bin:/bin' }).flatMap(([name, value]) => [
      '--setenv',
      name,
      value,
    ]),
    ['--', 'bash', '--norc', '-c', script],
  ].flat()
  return execFileSync('/usr/bin/bwrap', args, { encoding: 'utf8' })
}

const grant = (scope: string): string =>
  `contextd: no grant covers this host; the user can add "http:fetch:${scope}" to allow.capabilities of this agent\n`

describe.runIf(sandboxHere)('the proxy of a sandbox without network', () => {
  test.each([
    ['waiting in perl', '/usr/bin/perl'],
    ['without perl', '/usr/bin/not-installed'],
  ])('refuses, %s', (_, perl) => {
    const curl =
      'curl -sS http://a.example/x; curl -sS -X DELETE http://a.example:81/; curl -sS http://a.example/y'
    expect(inside(curl, perl)).toBe(
      `${grant('a.example')}${grant('a.example:81')}${grant('a.example')}refused GET a.example:80\nrefused DELETE a.example:81\n`,
    )
  })

  test('reports the host of a tunnel, and of an address', () => {
    const said = inside(
      'curl -s https://a.example; curl -s https://a.example:80/; curl -s https://[2001:db8::1]:444/',
      '/usr/bin/perl',
    )
    expect(said).toBe(
      'refused CONNECT a.example:443\nrefused CONNECT a.example:80\nrefused CONNECT [2001:db8::1]:444\n',
    )
  })

  test('reports a bounded number of hosts, and still refuses', () => {
    const many = 'curl -s $(seq -f "http://host-%g.example/" 150) > /mnt/said; wc -l < /mnt/said'
    const [refusals, ...reports] = inside(many, '/usr/bin/perl').trim().split('\n')
    expect([refusals?.trim(), reports.length]).toEqual(['150', 100])
  })
})
