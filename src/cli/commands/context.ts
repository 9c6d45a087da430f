/** `ctxd context`: private context, and which agents it is for. Keys are shown once, when they are made. */

import { InvalidArgumentError, Option, type Command } from 'commander'

import { agentIdPattern, identityLevels } from '../../core/call.ts'
import { newCommand, newGroup, processIo, type CliIo, type JsonOption } from '../ui/output.ts'
import { addToMap, type AddContextOptions } from './context/add.ts'
import { checkMap, listMap } from './context/list.ts'

export function contextCommand(io: CliIo = processIo()): Command {
  return newGroup('context', 'private context, and which agents it is for', 'ctxd context list')
    .addCommand(
      newCommand('list', 'the contexts there are, without their keys', 'ctxd context list').action(
        (options: JsonOption) => listMap(options, io),
      ),
    )
    .addCommand(
      newCommand(
        'add',
        'put a Markdown file behind a new key, which is shown this once',
        'ctxd context add ~/contexts/catalogue.md --agent contextd:scanner',
      )
        .argument('<file>', 'a Markdown file of at most 64 KB')
        .option('--agent <name>', 'only for this agent; may be given again', collectAgents, [])
        .addOption(
          new Option(
            '--require <level>',
            'how sure its identity must be; attested where an agent is named',
          ).choices(identityLevels),
        )
        .option('--key <key>', 'a key that you have already; a new one otherwise', contextKey)
        .action((file: string, options: AddContextOptions) => addToMap(file, options, io)),
    )
    .addCommand(
      newCommand('check', 'look for what is wrong with the map and its files', 'ctxd context check').action(
        (options: JsonOption) => checkMap(options, io),
      ),
    )
}

function collectAgents(name: string, before: readonly string[]): string[] {
  if (!agentIdPattern.test(name)) {
    throw new InvalidArgumentError('It must be letters, digits, "_", ".", ":" or "-".')
  }
  return before.includes(name) ? [...before] : [...before, name]
}

/** As TOML takes it without quotes. */
function contextKey(text: string): string {
  if (!/^[A-Za-z0-9_-]{20,256}$/.test(text)) {
    throw new InvalidArgumentError('It must be 20 to 256 letters, digits, "_" or "-".')
  }
  return text
}
