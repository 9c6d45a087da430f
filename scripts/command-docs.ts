import type { Command } from 'commander'

import { commandGroups } from '../src/cli/command-list.ts'
import { ctxdProgram } from '../src/cli/ctxd-program.ts'

/** Generates the part of docs/reference/commands.md that describes the commands. */
export async function commandDocs(): Promise<string> {
  const program = await ctxdProgram(() => true)
  return Object.keys(commandGroups)
    .flatMap((group) => {
      const commands = program.commands.filter((command) => command.helpGroup() === `${group}:`)
      const sections = commands.flatMap((command) => leaves(command, `ctxd ${command.name()}`))
      return [`## ${group}\n`].concat(sections)
    })
    .join('\n')
}

function leaves(command: Command, path: string): string[] {
  if (command.commands.length > 0) {
    return command.commands.flatMap((child) => leaves(child, `${path} ${child.name()}`))
  }
  const help = command.createHelp()
  const rows = [
    ...help.visibleArguments(command).map((argument) => [argument.name(), argument.description]),
    ...help
      .visibleOptions(command)
      .filter(({ long }) => long !== '--help')
      .map((option) => [option.flags, help.optionDescription(option)]),
  ].map(([term, meaning]) => `| \`${term}\` | ${meaning} |`)
  return [
    `### ${path}\n\n${command.description()}.\n\n| argument | meaning |\n|---|---|\n${rows.join('\n')}\n`,
  ]
}
