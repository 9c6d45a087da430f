import type { Command } from 'commander'
import { describe, expect, it } from 'vitest'

import { fakeIo } from '../../test/support/cli-io.ts'
import { contextdProgram } from './contextd-program.ts'
import { ctxdProgram, wantedCommand } from './ctxd-program.ts'
import { runProgram } from './ui/output.ts'

function withChildren(command: Command): Command[] {
  return [command, ...command.commands.flatMap(withChildren)]
}

describe('every command', async () => {
  const commands = [contextdProgram(), await ctxdProgram(() => true)].flatMap(withChildren)

  it.each(commands.map((command) => [pathOf(command), command] as const))(
    '%s has an example',
    (path, command) => {
      let help = ''
      command.configureOutput({ writeOut: (text) => (help += text) }).outputHelp()
      expect(help).toMatch(new RegExp(`\\nExample:\\n  .*${path}`))
    },
  )

  it('says what each option is for, and which ones it needs', () => {
    const options = commands.flatMap((command) => command.options)
    expect(options.length).toBeGreaterThan(20)
    expect(options.filter(({ description }) => description === '')).toEqual([])
    for (const { mandatory, defaultValue, description, flags } of options) {
      expect(description.endsWith('(required)'), flags).toBe(mandatory && defaultValue === undefined)
    }
  })
})

function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`
}

it.each([[['help', 'rules']], [['rules', '--help']]])('ctxd %j shows the subcommands', async (argv) => {
  const { io, out, code } = fakeIo({})
  const wanted = wantedCommand(argv)
  await runProgram(await ctxdProgram((name) => name === wanted), io, argv)
  expect(out()).toContain('Usage: ctxd rules')
  expect(out()).toContain('explain [options]')
  expect(code()).toBe(0)
})
