/** `contextd-permissions`: the commands of this package on their own, without contextd's configuration. */

import { join } from 'node:path'
import type { Command } from 'commander'

import { newGroup, processIo, runCli, type CliIo } from '@contextd/shared/cli/output'
import { homeFolder } from '@contextd/shared/files/home-folder'
import { VERSION } from '@contextd/shared/version'
import { findSecretsIn, masked } from '../findings/masked.ts'
import type { PermissionsHost } from './host.ts'
import { createPermissionsCommands } from './permissions-command.ts'

/** With `npx`, as an installed package is not in the `PATH` of its project. */
const invocation = 'npx @contextd/permissions'

const host: PermissionsHost = {
  program: invocation,
  secretsIn: findSecretsIn,
  async openMask() {
    const secretsIn = await findSecretsIn()
    return (text) => masked(text, secretsIn)
  },
  backups: (env) =>
    join(env.XDG_STATE_HOME || join(homeFolder(), '.local', 'state'), 'contextd-permissions', 'backups'),
}

export function permissionsProgram(io: CliIo = processIo()): Command {
  const program = newGroup(
    'contextd-permissions',
    'Explain and lint the permission files of Claude Code and OpenCode.',
    `${invocation} lint`,
  ).version(VERSION)
  for (const command of createPermissionsCommands(host, io)) program.addCommand(command)
  return program
}

export async function runPermissionsProgram(io: CliIo = processIo()): Promise<void> {
  await runCli(permissionsProgram(io), io)
}
