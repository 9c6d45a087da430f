import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import type { Command } from 'commander'
import { describe, expect, it, test } from 'vitest'

import { fakeIo } from '@contextd/shared/testing/cli-io'
import { readTypedLine } from './commands/completion/shell-line.ts'
import { commandNames, commandsOfOthers } from './command-list.ts'
import { ctxdProgram, programFor } from './ctxd-program.ts'
import { runCli } from '@contextd/shared/cli/output'

function withChildren(command: Command): Command[] {
  return [command, ...command.commands.flatMap(withChildren)]
}

describe('every command', async () => {
  const programs = [await ctxdProgram(() => true), await programFor([])]
  const commands = programs.flatMap(withChildren)
  const named = commands.map((command) => [pathOf(command), command] as const)
  const leaves = named.filter(([, command]) => command.commands.length === 0)

  it.each(named)('%s has a description', (_, command) => {
    expect(command.description()).toMatch(/\S/)
  })

  it.each(named)('%s has an example', (path, command) => {
    expect(exampleOf(command)).toMatch(asTyped(path))
  })

  it.each(leaves)('the example of %s parses', async (_, command) => {
    let ran = 0
    command.action(() => void ran++)
    const { io, err, code } = fakeIo({})
    await runCli(rootOf(command), io, argumentsOf(command, exampleOf(command)))
    expect([err(), code(), ran]).toEqual(['', 0, 1])
  })

  /** Their output is a protocol. */
  const forClients = new Set(['ctxd mcp serve', 'ctxd hook'])

  it.each(leaves.filter(([path]) => !forClients.has(path)))('%s supports --json', (_, { options }) => {
    expect(options.map(({ long }) => long)).toContain('--json')
  })

  it('describes every option, and marks required ones', () => {
    const options = commands.flatMap((command) => command.options)
    expect(options.length).toBeGreaterThan(20)
    expect(options.filter(({ description }) => description === '')).toEqual([])
    for (const { mandatory, defaultValue, description, flags } of options) {
      expect(description.endsWith('(required)'), flags).toBe(mandatory && defaultValue === undefined)
    }
  })
})

test('every command that a message names exists', async () => {
  const known = new Map<string, Command>()
  for (const command of withChildren(await ctxdProgram(() => true))) known.set(pathOf(command), command)
  const src = fileURLToPath(new URL('..', import.meta.url))
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.ts') && !/\.(?:test|samples)\.ts$|_pb\.ts$/.test(path),
  )
  const named = files.flatMap((path) =>
    Array.from(
      readFileSync(join(src, path), 'utf8').matchAll(/`(ctxd [a-z][a-z -]*)/g),
      ([, line = '']) => line,
    ),
  )
  const isKnown = (line: string): boolean => {
    const [program = '', first = '', second = ''] = line.split(' ')
    const command = known.get(`${program} ${first}`)
    if (command === undefined) return false
    return (
      command.commands.length === 0 || !/^[a-z]/.test(second) || known.has(`${program} ${first} ${second}`)
    )
  }
  expect(named.length).toBeGreaterThan(100)
  expect(isKnown('ctxd tools approve') || isKnown('ctxd tool approves')).toBe(false)
  expect([...new Set(named)].filter((line) => !isKnown(line))).toEqual([])
})

function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`
}

function rootOf(command: Command): Command {
  return command.parent === null ? command : rootOf(command.parent)
}

/** The first line below `Example:`. */
function exampleOf(command: Command): string {
  let help = ''
  command.configureOutput({ writeOut: (text) => (help += text) }).outputHelp()
  return /\nExample:\n {2}(.*)/.exec(help)?.[1] ?? ''
}

/** Files of clients name the program `contextd`. */
function asTyped(path: string): RegExp {
  return new RegExp(`(?<=^| )(?:ctxd|contextd)${path.slice('ctxd'.length)}\\b`)
}

/** The arguments of the command in a shell line, without variables before it and redirections after it. */
function argumentsOf(command: Command, line: string): string[] {
  const [, ...words] = readTypedLine(line.slice(line.search(asTyped(pathOf(command))))).words
  const end = words.findIndex((word) => /^(?:&&|\||<|>>?)$/.test(word))
  return end === -1 ? words : words.slice(0, end)
}

describe('help', () => {
  it.each([[['help', 'rules']], [['rules', '--help']]])('%j shows the subcommands', async (argv) => {
    const { io, out, code } = fakeIo({})
    await runCli(await programFor(argv, io), io, argv)
    expect(out()).toContain('Usage: ctxd rules')
    expect(out()).toContain('explain [options]')
    expect(code()).toBe(0)
  })

  it.each([[['help']], [['--help']], [['-h']]])('%j lists every command', async (argv) => {
    const { io, out, code } = fakeIo({})
    await runCli(await programFor(argv, io), io, argv)
    for (const { name } of (await ctxdProgram(() => false)).commands.map((each) => ({ name: each.name() })))
      expect(out()).toMatch(new RegExp(`^  ${name}\\b`, 'm'))
    expect(out()).toContain('With no command, prints status')
    expect(code()).toBe(0)
  })

  it('prints the version', async () => {
    const { io, out, code } = fakeIo({})
    await runCli(await programFor(['--version'], io), io, ['--version'])
    expect([code(), out()]).toEqual([0, expect.stringMatching(/^\d+\.\d+\.\d+\n$/)])
  })
})

async function refusalOf(argv: readonly string[]): Promise<string> {
  const { io, err, out, code } = fakeIo({ env: {}, cwd: '/' })
  await runCli(await programFor(argv, io), io, argv)
  expect([code(), out()]).toEqual([2, ''])
  return err()
}

describe('an invalid word', () => {
  it.each([
    [['audit', 'qurey'], 'query'],
    [['agents', 'token', 'lsit'], 'list'],
    [['audit', 'query', '--agnet', 'x'], '--agent'],
    [['completion', 'bsah'], 'bash'],
    [['rules', 'explain', '--agent', 'a', '--server', 's', '--tool', 't', '--level', 'tokn'], 'token'],
  ])('%j gets the error %s', async (argv, meant) => {
    expect(await refusalOf(argv)).toMatch(new RegExp(`^USAGE: [^]*Did you mean ${meant}\\?`))
  })
})

describe('an unknown command', () => {
  it.each([
    [['audti'], 'ctxd audit'],
    [['help', 'audti'], 'ctxd audit'],
    [['up'], 'ctxd start'],
    [['up', '-d', '--help'], 'ctxd start'],
    [['stat'], 'ctxd start'],
    [['logs'], 'ctxd audit tail'],
    [['log', '--json'], 'ctxd audit tail'],
    [['login'], 'ctxd upstream login'],
  ])('%j suggests %s', async (argv, meant) => {
    expect(await refusalOf(argv)).toMatch(
      new RegExp(`unknown command ${argv.find((word) => word !== 'help')}`),
    )
    expect(await refusalOf(argv)).toContain(`Did you mean \`${meant}\`?`)
  })

  it('that resembles nothing gets the list', async () => {
    expect(await refusalOf(['qqqqqqqqq'])).toBe(
      'USAGE: unknown command qqqqqqqqq\n`ctxd --help` lists all commands.\n',
    )
  })

  it.each(Object.entries(commandsOfOthers))('%s suggests ctxd %s, which exists', async (word, line) => {
    expect(await refusalOf([word])).toContain(`Did you mean \`ctxd ${line}\`?`)
    const [name = '', inside = '-'] = line.split(' ')
    if (name.startsWith('-')) return
    expect(commandNames).toContain(name)
    const command = (await ctxdProgram((one) => one === name)).commands.find((one) => one.name() === name)
    if (/^[a-z]/.test(inside)) expect(command?.commands.map((one) => one.name())).toContain(inside)
  })
})
