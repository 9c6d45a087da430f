/** `ctxd context`: private context files and the agents they are for. Keys are shown once, when created. */

import { InvalidArgumentError, Option, type Command } from 'commander'

import { agentIdPattern, identityLevels } from '../../../core/call.ts'
import { newCommand, newGroup, processIo, type CliIo, type JsonOption } from '@contextd/shared/cli/output'
import { addToMap, type AddContextOptions } from './add.ts'
import { checkMap, listMap } from './list.ts'

export function contextCommand(io: CliIo = processIo()): Command {
  return newGroup('context', 'manage private context files for agents', 'ctxd context list')
    .addCommand(
      newCommand('list', 'list contexts, without their keys', 'ctxd context list').action(
        (options: JsonOption) => listMap(options, io),
      ),
    )
    .addCommand(
      newCommand(
        'add',
        'register a Markdown file under a new key, which is shown once',
        'ctxd context add ~/contexts/catalogue.md --agent contextd:scanner',
      )
        .argument('<file>', 'a Markdown file of at most 64 KB')
        .option('--agent <name>', 'only for this agent; repeatable', collectAgents, [])
        .addOption(
          new Option('--require <level>', 'identity level required; attested if an agent is named').choices(
            identityLevels,
          ),
        )
        .option('--key <key>', 'use an existing key instead of a new one', contextKey)
        .action((file: string, options: AddContextOptions) => addToMap(file, options, io)),
    )
    .addCommand(
      newCommand('check', 'check the context map and its files for problems', 'ctxd context check').action(
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

/** Valid as a bare TOML key. */
function contextKey(text: string): string {
  if (!/^[A-Za-z0-9_-]{20,256}$/.test(text)) {
    throw new InvalidArgumentError('It must be 20 to 256 letters, digits, "_" or "-".')
  }
  return text
}
