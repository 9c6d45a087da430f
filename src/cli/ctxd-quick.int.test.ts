/** The quick answers of `ctxd` are byte for byte those of the full program. */

import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { makeTempHome, type TempHome } from '../../test/support/temp-home.ts'

const place = (name: string): string => fileURLToPath(new URL(`../../${name}`, import.meta.url))

let home: TempHome
beforeEach(() => (home = makeTempHome()))
afterEach(() => home.remove())

function run(program: string, argv: readonly string[]): { status: number | null; out: string; err: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [place(program), ...argv], {
    cwd: home.project,
    env: { PATH: process.env.PATH, ...home.env },
    encoding: 'utf8',
  })
  return { status, out: stdout, err: stderr }
}
const same = (...argv: string[]): { status: number | null; out: string; err: string } => {
  const quick = run('bin/ctxd.js', argv)
  expect(quick).toEqual(run('dist/ctxd.js', argv))
  return quick
}

it('includes the prepared answers from the build', () => {
  expect(existsSync(place('dist/ctxd-quick.json'))).toBe(true)
})

it.each([[['--help']], [['-h']]])('%j', (argv) => {
  expect(same(...argv)).toMatchObject({
    status: 0,
    err: '',
    out: expect.stringContaining('Usage: ctxd') as string,
  })
})

describe('config get', () => {
  const file = '[http]\nport = 8080\nallowed_hosts = ["a.example", "b.example"]\n'

  it.each([
    ['a default', undefined, ['http.port'], '7391\n'],
    ['a value of the file', file, ['http.port'], '8080\n'],
    ['a list', file, ['http.allowed_hosts'], 'a.example,b.example\n'],
    [
      'data',
      file,
      ['http.port', '--json'],
      '{\n  "key": "http.port",\n  "value": 8080,\n  "source": "user"\n}\n',
    ],
    ['data first', file, ['--json', 'http.host'], '{\n  "key": "http.host"'],
    ['what would steer a terminal', '[http]\nhost = "a\\u001b[2J"\n', ['http.host'], 'a\\u{1b}[2J\n'],
  ])('%s', (_, content, argv, out) => {
    if (content !== undefined) home.write('config/config.toml', content)
    expect(same('config', 'get', ...argv)).toMatchObject({
      status: 0,
      err: '',
      out: expect.stringContaining(out) as string,
    })
  })

  it.each([
    ['an unknown key', undefined, ['http.prot'], 2],
    ['a section', undefined, ['http'], 2],
    ['no key', undefined, [], 2],
    ['two keys', undefined, ['http.port', 'http.host'], 2],
    ['a flag that is none', undefined, ['--jsn'], 2],
    ['a file that is wrong elsewhere', '[http]\nport = 8080\n[log]\nlevel = "loud"\n', ['http.port'], 78],
    ['a file that is no TOML', '[http', ['http.port'], 78],
    ['help', undefined, ['--help'], 0],
  ])('%s', (_, content, argv, status) => {
    if (content !== undefined) home.write('config/config.toml', content)
    expect(same('config', 'get', ...argv).status).toBe(status)
  })

  it('leaves projects with a configuration file to the full program', () => {
    home.write('project/.contextd/config.toml', '[log]\nlevel = "debug"\n')
    const { out, err } = same('config', 'get', 'log.level')
    expect([out, err]).toEqual(['info\n', expect.stringContaining('not trusted')])
  })
})
