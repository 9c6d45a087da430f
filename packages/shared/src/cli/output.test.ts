import { Command } from 'commander'
import { describe, expect, it } from 'vitest'

import { fakeIo, type FakeIo } from '../../testing/cli-io.ts'
import type { CatalogueEntry } from '../errors/catalogue-entry.ts'
import { CodedError } from '../errors/coded-error.ts'
import { CommonError } from '../errors/common-error.ts'
import { counted, fail, newCommand, newGroup, note, paint, printTable, runCli, printJson } from './output.ts'

const denied: CatalogueEntry = {
  message: 'Agent {agent} may not use {server}.{tool}',
  jsonrpc: -32000,
  grpc: 'PERMISSION_DENIED',
  http: 403,
  exit: 10,
  hint: 'Run `ctxd rules explain` to see which rule decided.',
}

async function run(argv: string[], action: () => void | Promise<void> = () => {}): Promise<FakeIo> {
  const fake = fakeIo({})
  const program = new Command('ctxd').addCommand(
    newGroup('thing', 'things', 'ctxd thing show').addCommand(
      newCommand('show', 'shows a thing', 'ctxd thing show').action(action),
    ),
  )
  await runCli(program, fake.io, argv)
  return fake
}

describe('runProgram', () => {
  it('exits with 0 and prints nothing on success', async () => {
    let ran = 0
    const { out, err, code } = await run(['thing', 'show', '--json'], () => void ran++)
    expect([ran, out(), err(), code()]).toEqual([1, '', '', 0])
  })

  it('rejects a mistyped flag with a suggestion, as text and as JSON', async () => {
    let ran = 0
    const text = await run(['thing', 'show', '--jsn'], () => void ran++)
    expect(text.err()).toBe(
      "USAGE: unknown option '--jsn'\n(Did you mean --json?)\nRun the command with --help.\n",
    )
    expect(text.code()).toBe(2)
    const json = await run(['thing', 'show', '--json', '--all'], () => void ran++)
    expect(JSON.parse(json.err())).toEqual({
      error: {
        code: 'USAGE',
        message: "unknown option '--all'",
        problem: "unknown option '--all'",
        hint: 'Run the command with --help.',
      },
    })
    expect([json.code(), json.out(), ran]).toEqual([2, '', 0])
  })

  it.each([[['thing', 'shwo']], [['thing', 'show', 'more']]])('rejects %j', async (argv) => {
    const { code, out, err } = await run(argv)
    expect([code(), out()]).toEqual([2, ''])
    expect(err()).toMatch(/^USAGE: /)
  })

  it('prints help with an example', async () => {
    const { out, code } = await run(['thing', 'show', '--help'])
    expect(out()).toContain('Example:\n  ctxd thing show')
    expect(code()).toBe(0)
  })

  it('shows help and fails if a subcommand is missing', async () => {
    const { out, err, code } = await run(['thing'])
    expect([out(), code()]).toEqual(['', 2])
    expect(err()).toContain('Usage: ctxd thing')
  })

  it('takes the exit code of a refusal from the catalogue', async () => {
    const refuse = (): never => {
      throw new CodedError('DENIED_BY_POLICY', denied, {
        agent: 'a',
        server: 's',
        tool: 't',
        rule: 'agents.a',
      })
    }
    const text = await run(['thing', 'show'], refuse)
    expect(text.code()).toBe(10)
    expect(text.err()).toMatch(
      /^DENIED_BY_POLICY: Agent a may not use s\.t \[agents\.a\]\nRun `ctxd rules explain`/,
    )
    const json = await run(['thing', 'show', '--json'], refuse)
    expect(JSON.parse(json.err())).toMatchObject({ error: { code: 'DENIED_BY_POLICY', rule: 'agents.a' } })
  })

  it.each([
    ['EPIPE', 0, ''],
    ['ENOSPC', 74, 'STORE_UNAVAILABLE: The store cannot be used: the output could not be written (ENOSPC)\n'],
  ])('handles output errors: %s exits with %s and is reported at most once', async (code, exit, reported) => {
    const fake = fakeIo({})
    let broken: (error: NodeJS.ErrnoException) => void = () => {}
    const on = (_: 'error', listener: typeof broken): void => {
      broken = listener
    }
    const io = { ...fake.io, stdout: { ...fake.io.stdout, on } }
    const program = newCommand('show', 'shows', 'show').action(() => {
      for (let write = 0; write < 2; write += 1) broken(Object.assign(new Error('broken'), { code }))
    })
    await runCli(program, io, [])
    expect(fake.code()).toBe(exit)
    expect(fake.err().replace(/^Free space.*\n/m, '')).toBe(reported)
  })

  it('reports unexpected errors as INTERNAL with their cause', async () => {
    const { err, code } = await run(['thing', 'show'], () => Promise.reject(new Error('ENOSPC: no space')))
    expect(err()).toMatch(/^INTERNAL: .*: ENOSPC: no space\nThis is a bug\. Report it/)
    expect(code()).toBe(70)
  })
})

describe('output', () => {
  it('uses the singular for one', () => {
    expect([0, 1, 2].map((count) => counted(count, 'record'))).toEqual(['0 records', '1 record', '2 records'])
  })

  it('is colored only on a terminal, unless disabled', () => {
    const on = fakeIo({ columns: 80 })
    expect(paint(on.io, 'red', 'x')).toBe('\u001B[31mx\u001B[39m')
    expect(paint(fakeIo({ columns: 80, env: { NO_COLOR: '1' } }).io, 'red', 'x')).toBe('x')
    expect(paint(fakeIo({ columns: 80, env: { TERM: 'dumb' } }).io, 'red', 'x')).toBe('x')
    expect(paint(fakeIo({}).io, 'red', 'x')).toBe('x')
  })

  it('cannot control the terminal', () => {
    const { io, err } = fakeIo({})
    fail(new CommonError('CONFIG_INVALID', { problem: 'a\u001B[2Jb\nc' }), {}, io)
    note('d\u0007', io)
    expect(err()).toContain('CONFIG_INVALID: a\\u{1b}[2Jb\nc\n')
    expect(err()).toContain('note: d\\u{7}\n')
  })

  it('cannot control it as JSON either, and keeps its value', () => {
    const { io, out } = fakeIo({})
    printJson({ name: 'a\u009B2J\u202Eb' }, io)
    expect(out()).toBe('{\n  "name": "a\\u009b2J\\u202eb"\n}\n')
    expect(JSON.parse(out())).toEqual({ name: 'a\u009B2J\u202Eb' })
  })

  it('is a table as wide as its text, but no wider than the terminal', () => {
    const rows = [
      ['http.port', '7391', 'Port of MCP over HTTP; 0 picks a free one.'],
      ['log.level', 'a\tb', 'Short.'],
    ]
    const free = fakeIo({})
    printTable(['KEY', 'VALUE', 'MEANING'], rows, free.io)
    expect(free.out()).toBe(
      'KEY        VALUE    MEANING\n' +
        'http.port  7391     Port of MCP over HTTP; 0 picks a free one.\n' +
        'log.level  a\\u{9}b  Short.\n',
    )
    const narrow = fakeIo({ columns: 40, env: { NO_COLOR: '1' } })
    printTable(['KEY', 'VALUE', 'MEANING'], rows, narrow.io)
    expect(narrow.out()).toBe(
      'KEY        VALUE    MEANING\n' +
        'http.port  7391     Port of MCP over HT…\n' +
        'log.level  a\\u{9}b  Short.\n',
    )
  })

  it('does not truncate times', () => {
    const { io, out } = fakeIo({ columns: 36, env: { NO_COLOR: '1' } })
    printTable(['TIME', 'UNTIL', 'WHAT'], [['2026-11-15 22:38:30', '', 'something long']], io)
    expect(out().split('\n')[1]).toBe('2026-11-15 22:38:30         somethi…')
  })

  it('does not truncate ids that users copy', () => {
    const head = ['ID', 'WHAT', 'CALL']
    const rows = [['5a107d3b20dee7bf', 'something that is rather long', '750d85d3ad5d397f']]
    const narrow = fakeIo({ columns: 46, env: { NO_COLOR: '1' } })
    printTable(head, rows, narrow.io)
    expect(narrow.out().split('\n')[1]).toBe('5a107d3b20dee7bf  something…  750d85d3ad5d397f')
    const narrower = fakeIo({ columns: 40, env: { NO_COLOR: '1' } })
    printTable(head, rows, narrower.io)
    expect(narrower.out()).toBe(
      'ID: 5a107d3b20dee7bf\nWHAT: something that is rather long\nCALL: 750d85d3ad5d397f\n',
    )
  })

  it('becomes blocks of lines if a table does not fit', () => {
    const rows = [
      ['http.port', '7391', 'Port.'],
      ['log.level', '', 'Short.'],
    ]
    const tiny = fakeIo({ columns: 14, env: { NO_COLOR: '1' } })
    printTable(['KEY', 'VALUE', 'MEANING'], rows, tiny.io)
    expect(tiny.out()).toBe(
      'KEY: http.port\nVALUE: 7391\nMEANING: Port.\n\nKEY: log.level\nMEANING: Short.\n',
    )
    const none = fakeIo({ columns: 0, env: { NO_COLOR: '1' } })
    printTable(['KEY', 'VALUE', 'MEANING'], rows, none.io)
    expect(none.out()).toContain('http.port  7391   Port.\n')
  })

  it('aligns wide characters by columns', () => {
    const rows = [
      ['漢字', 'two wide ones'],
      ['nai\u0308ve', 'a mark'],
      ['👍🏽', 'a picture'],
    ]
    const free = fakeIo({})
    printTable(['NAME', 'WHAT'], rows, free.io)
    expect(free.out()).toBe('NAME   WHAT\n漢字   two wide ones\nnai\u0308ve  a mark\n👍🏽     a picture\n')
    const narrow = fakeIo({ columns: 12, env: { NO_COLOR: '1' } })
    printTable(['NAME'], [['漢字漢字漢字漢字']], narrow.io)
    expect(narrow.out()).toBe('NAME\n漢字漢字漢…\n')
  })
})
