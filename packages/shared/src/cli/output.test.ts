import { Command } from 'commander'
import { describe, expect, it, test } from 'vitest'

import { fakeIo, type FakeIo } from '../../testing/cli-io.ts'
import type { CatalogueEntry } from '../errors/catalogue-entry.ts'
import { CodedError, type ErrorDetails } from '../errors/coded-error.ts'
import { CommonError } from '../errors/common-error.ts'
import { terminalStyles } from '../text/visible-text.ts'
import {
  fail,
  fitForTerminal,
  newCommand,
  newGroup,
  note,
  paint,
  printTable,
  runCli,
  printJson,
  type CliIo,
  type OutputStream,
} from './output.ts'

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
      "USAGE: unknown option '--jsn'\n(Did you mean --json?)\nRun `ctxd thing show --help`.\n",
    )
    expect(text.code()).toBe(2)
    const json = await run(['thing', 'show', '--json', '--all'], () => void ran++)
    expect(JSON.parse(json.err())).toEqual({
      error: {
        code: 'USAGE',
        message: "unknown option '--all'",
        problem: "unknown option '--all'",
        command: 'ctxd thing show',
        hint: 'Run `ctxd thing show --help`.',
      },
    })
    expect([json.code(), json.out(), ran]).toEqual([2, '', 0])
  })

  it.each([[['thing', 'shwo']], [['thing', 'show', 'more']]])('rejects %j', async (argv) => {
    const { code, out, err } = await run(argv)
    expect([code(), out()]).toEqual([2, ''])
    expect(err()).toMatch(/^USAGE: /)
  })

  it('names the command in the hint of an error that needs it', async () => {
    const throwing = (details: ErrorDetails) => (): never => {
      throw new CommonError('USAGE', { problem: 'choose one', ...details })
    }
    expect((await run(['thing', 'show'], throwing({}))).err()).toBe(
      'USAGE: choose one\nRun `ctxd thing show --help`.\n',
    )
    expect((await run(['thing', 'show'], throwing({ hint: 'Do this.' }))).err()).toBe(
      'USAGE: choose one\nDo this.\n',
    )
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

describe('fitForTerminal', () => {
  function written(isTTY: boolean, ...parts: (string | Uint8Array)[]): string {
    const chunks: Buffer[] = []
    const stream: OutputStream = { isTTY, columns: 80, write: (data) => chunks.push(Buffer.from(data)) }
    const fit = fitForTerminal(stream)
    for (const part of parts) fit.write(part)
    return Buffer.concat(chunks).toString()
  }

  test.each([
    ['a sequence that moves the cursor', '\u001B[2Jgone', String.raw`\u001b[2Jgone`],
    ['the same in one character', '\u009B2J', String.raw`\u009b2J`],
    ['a title', '\u001B]0;owned\u0007', String.raw`\u001b]0;owned\u0007`],
    ['a direction', 'a\u202Eb\u2066', String.raw`a\u202eb\u2066`],
    ['a tag', String.fromCodePoint(0xe0041), String.raw`\udb40\udc41`],
    ['a line that is written over', 'allow\rdeny ', String.raw`allow\u000ddeny `],
    ['text that is concealed', '\u001B[8mhidden\u001B[28m', String.raw`\u001b[8mhidden\u001b[28m`],
    ['a background', '\u001B[40m\u001B[30;40m\u001B[m', String.raw`\u001b[40m\u001b[30;40m\u001b[m`],
    ['our bold in another spelling', '\u001B[01mx', String.raw`\u001b[01mx`],
    ['a line that is erased', 'deny\u001B[2K\u001B[1K', String.raw`deny\u001b[2K\u001b[1K`],
    ['a rest that is erased within the text', 'a\u001B[Kb', String.raw`a\u001b[Kb`],
    ['half a character', 'a\uD800', String.raw`a\ud800`],
  ])('escapes %s on a terminal, passes it unchanged to a program', (_, text, shown) => {
    expect(written(true, text)).toBe(shown)
    if (text.isWellFormed()) expect(written(false, text)).toBe(text)
  })

  test.each(terminalStyles)('keeps our own style %s', (style) => {
    const io = { stdout: { isTTY: true, write: () => true }, env: {} } as unknown as CliIo
    const painted = paint(io, style, 'text')
    expect(painted).not.toBe('text')
    expect(written(true, painted)).toBe(painted)
  })

  test('keeps the output of our own commands', () => {
    const own = '\u001B[1mhead\u001B[22m\tcell\r\nnext é 漢 \u{1F600}\n'
    expect(written(true, own)).toBe(own)
    expect(written(true, '\rscanned 3 files\u001B[K')).toBe('\rscanned 3 files\u001B[K')
  })

  test('decodes bytes as text, even if a character is split', () => {
    const bytes = Buffer.from('é\u202E!')
    expect(written(true, bytes.subarray(0, 1), bytes.subarray(1, 4), bytes.subarray(4))).toBe(
      String.raw`é\u202e!`,
    )
    expect(written(false, bytes.subarray(0, 1), bytes.subarray(1))).toBe('é\u202E!')
  })
})
