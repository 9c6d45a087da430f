/** What the user should know about a planned setup. */

import type { ClientFile } from '../../../clients/init/client-file.ts'
import { findClients } from '../../../clients/find-clients.ts'
import type { CliIo } from '@contextd/shared/cli/output'
import { readFileText } from '@contextd/shared/changes/change'
import { userSettingsFile } from './plan.ts'
import type { SetUpPlan, SetUpRequest } from './plan-set-up.ts'

export function setUpNotes(request: SetUpRequest, plan: SetUpPlan, io: CliIo): string[] {
  const { files, door, openCode, move, program, agents, audiences } = plan
  const { chosen } = request
  const found = new Set(findClients(io.env.PATH ?? '').map(({ id }) => id))
  const missing = chosen.filter((platform) => !found.has(platform))
  return [
    ...missing.map((platform) => `${platform} is not on the PATH`),
    ...(program[0] === 'contextd'
      ? []
      : ['contextd is not on the PATH, so the files contain its path on this machine']),
    ...settingsNotes(request, files, io),
    ...layoutNotes(request, plan),
    ...audiences.notes,
    ...agents.left.map(
      (file) =>
        `strict mode removes built-in tools that ${file} lists, and an agent without any other tool is not started: \`--agent-tools\` adds contextd's where it can`,
    ),
    ...door.notes,
    ...openCode.notes,
    ...move.left.map(({ name, path, why }) => `${name} stays in ${path}: ${why}`),
  ]
}

/** What others get, and what they have to do. */
function layoutNotes(
  { options, project }: SetUpRequest,
  { layouts, changes, audiences }: SetUpPlan,
): string[] {
  if (project === undefined || layouts.size === 0) return []
  const kinds = new Set(Array.from(layouts.values(), ({ kind }) => kind))
  if (kinds.has('shared')) {
    const without = options.require
      ? 'cannot use any tool'
      : 'can work as before, and each session says how to install it'
    return [
      `others get the shared files: with contextd installed they run \`ctxd init\` here too; without it they ${without}`,
    ]
  }
  const hasMoved = changes.some(
    ({ path, from, to }) => audiences.of(path) === 'committed' && isOurs(from) && !isOurs(to),
  )
  return [
    ...(kinds.has('joined')
      ? [
          'this project has shared files of contextd, which stay as they are; `ctxd init --shared` updates them',
        ]
      : []),
    ...(hasMoved
      ? [
          "contextd's part of files that you may have committed moves to files for you alone: commit that, or run `ctxd init --shared` if everyone on the project should have contextd",
        ]
      : []),
  ]
}

function isOurs(text: string | undefined): boolean {
  return text?.includes('contextd') === true
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
