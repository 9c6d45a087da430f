/** What the user should know about a planned setup. */

import type { ClientFile } from '../../../clients/init/client-file.ts'
import { findClients } from '../../../clients/find-clients.ts'
import type { CliIo } from '@contextd/shared/cli/output'
import { readFileText } from '@contextd/shared/changes/change'
import { userSettingsFile } from './plan.ts'
import type { SetUpPlan, SetUpRequest } from './plan-set-up.ts'

export function setUpNotes(
  request: SetUpRequest,
  { files, door, openCode, move, program }: SetUpPlan,
  io: CliIo,
): string[] {
  const { options, project, chosen } = request
  const found = new Set(findClients(io.env.PATH ?? '').map(({ id }) => id))
  const missing = chosen.filter((platform) => !found.has(platform))
  return [
    ...missing.map((platform) => `${platform} is not on the PATH`),
    ...(program[0] === 'contextd'
      ? []
      : ['contextd is not on the PATH, so the files contain its path on this machine']),
    ...settingsNotes(request, files, io),
    ...(options.tools && project !== undefined
      ? ['.claude/tools contains links to contextd on this machine: keep it out of the repository']
      : []),
    ...door.notes,
    ...(door.settings !== undefined && project !== undefined
      ? [
          '.claude/settings.local.json contains your model door key and is not shared; others on this project run `ctxd init` for their own',
        ]
      : []),
    ...openCode.notes,
    ...move.left.map(({ name, path, why }) => `${name} stays in ${path}: ${why}`),
  ]
}

/** About settings that conflict with ours. */
function settingsNotes(
  { project, chosen }: SetUpRequest,
  files: readonly ClientFile[],
  { env }: CliIo,
): string[] {
  const texts = [
    ...files.filter(({ kind }) => kind !== 'link').map(({ path }) => readFileText(path, project) ?? ''),
    ...(chosen.includes('claude-code') ? [readFileText(userSettingsFile(env)) ?? ''] : []),
  ]
  return [
    ...(texts.some((text) => /"contextd@[^"]*"\s*:\s*true/.test(text))
      ? ['the contextd plugin is enabled too: use one of the two, or everything happens twice']
      : []),
    ...(texts.some((text) => /"disableAllHooks"\s*:\s*true/.test(text))
      ? ['the settings disable all hooks (disableAllHooks): nothing is scrubbed, and agents are not attested']
      : []),
  ]
}
