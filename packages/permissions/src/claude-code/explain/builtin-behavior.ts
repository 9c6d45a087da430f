/** Built-in behavior of Claude Code, independent of rules: by mode, by file location, by kind of tool. */

import { join } from 'node:path'
import type { Case } from './case.ts'
import { nowhere, type Ground } from '../../findings/explanation.ts'
import type { GroundCandidate } from './question.ts'
import { rulesAllowingFile, allowsEdits, isAllWithin, resolvesOutside } from './in-force/file-rules.ts'
import { isWithin } from '@contextd/shared/files/within'
import { isGuardedPath } from '../rules/path-rule.ts'
import { preapprovedHosts, hostOf } from './rule-match.ts'
import { groundOf } from './in-force/rules-in-force.ts'
import { acceptsEdits } from './session-mode.ts'
import type { FileNames } from '../setup/setup.ts'
import type { ShellVerdict } from './shell/shell-verdict.ts'
import { promptReasons } from './skills.ts'

export interface BuiltinBehavior {
  /** Denied because the file to write is a symlink. */
  readonly linked: readonly GroundCandidate[]
  /** Rejected as invalid. */
  readonly invalid: readonly GroundCandidate[]
  /** Denied because of the mode. */
  readonly refused: readonly GroundCandidate[]
  /** Denied in classifier mode, where the user is not asked. */
  readonly dangerous: readonly GroundCandidate[]
  /** Always prompts. */
  readonly always: readonly GroundCandidate[]
  /** Allowed because the mode never prompts. */
  readonly bypass: readonly GroundCandidate[]
  /** Prompts even if a rule allows it. */
  readonly guarded: readonly GroundCandidate[]
  /** Prompts unless a rule allows the whole tool. */
  readonly foreign: readonly GroundCandidate[]
  /** Prompts unless a rule allows the whole tool or the exact command. */
  readonly unchecked: readonly GroundCandidate[]
  /** Allowed without asking. */
  readonly free: readonly GroundCandidate[]
  /** Prompts because of the skill's properties. */
  readonly wanting: readonly GroundCandidate[]
}

export function builtinBehavior(one: Case, shell: ShellVerdict | undefined): BuiltinBehavior {
  const written = one.kind === 'write' ? one.names : undefined
  const guarded = shell?.guarded ?? written?.all.find(isGuardedPath)
  const escape = shell?.escape ?? (written && escapeOf(one, written.all))
  const dangerous = about(
    shell?.danger,
    'removes too much',
    (command) => `\`${command}\` would remove the whole project or home directory`,
  )
  return {
    linked: written?.isLink === true ? linkInPlace(written) : [],
    invalid: shell?.isRefused
      ? behavior('client', 'hidden characters', 'The client runs no command with invisible characters')
      : [],
    refused: guarded === undefined ? refusedByMode(one) : [],
    dangerous: one.mode.isClassified ? dangerous : [],
    always: [
      ...(one.mode.isClassified ? [] : dangerous),
      ...(one.kind === 'agent' && one.mode.isClassified
        ? behavior('mode', one.mode.mode, 'In this mode the client asks before it starts an agent')
        : []),
    ],
    bypass:
      one.mode.mode === 'bypassPermissions'
        ? behavior('mode', 'bypassPermissions', `Allows everything${because(one)}`)
        : [],
    guarded: [
      ...about(guarded, 'guarded path', (path) => `The client asks before it writes to ${path}`),
      ...about(
        escape,
        'link out of the project',
        (path) => `The client asks, because a link leads to ${path}`,
      ),
    ],
    foreign: about(shell?.foreign, 'foreign path', (why) => `The client asks, because ${why}`),
    unchecked: about(
      shell?.unchecked,
      'unclear command',
      (what) => `The client asks, because it cannot check ${what} before it runs`,
    ),
    free: freely(one, shell),
    wanting: promptReasons(one.skill),
  }
}

function linkInPlace({ all }: FileNames): GroundCandidate[] {
  const says = `The client refuses to write to ${all[0]}, a link to ${all.at(-1)}`
  return behavior('client', 'link in place of the file', says)
}

function refusedByMode({ mode, kind, isMcp }: Case): GroundCandidate[] {
  return mode.mode === 'plan' && (kind === 'write' || isMcp)
    ? behavior(
        'mode',
        'plan',
        'While planning, the client neither writes files nor calls tools of MCP servers',
      )
    : []
}

/** The real path of a project file, if it is outside the project and no rule allows writing there. */
function escapeOf({ folders, rules, setup }: Case, names: readonly string[]): string | undefined {
  return resolvesOutside(names, folders) &&
    rulesAllowingFile(rules.filter(allowsEdits), names, setup).length === 0
    ? names.at(-1)
    : undefined
}

function behavior(source: Ground['source'], rule: string, says: string): GroundCandidate[] {
  return [{ ground: { ...nowhere, rule, source }, says }]
}

function about(what: string | undefined, rule: string, says: (what: string) => string): GroundCandidate[] {
  return what === undefined ? [] : behavior('client', rule, says(what))
}

function because({ mode }: Case): string {
  return mode.because === undefined ? '' : ` (${mode.because})`
}

function freely(one: Case, shell: ShellVerdict | undefined): GroundCandidate[] {
  const { kind, argument, mode } = one
  const folder = folderOf(one)
  if (kind === 'shell') {
    if (shell?.isFree !== true) return []
    return acceptsEdits(mode)
      ? behavior('mode', mode.mode, 'The command is read-only, or edits files of the project')
      : behavior('client', 'default: commands that only look', 'The command is read-only')
  }
  if (kind === 'read') return freeRead(one, folder)
  if (kind === 'write')
    return acceptsEdits(mode) && folder !== undefined
      ? behavior('mode', mode.mode, `Files of ${folder.name} are edited without asking${because(one)}`)
      : []
  if (kind === 'fetch')
    return argument !== undefined && preapprovedHosts.has(hostOf(argument))
      ? behavior('client', 'default: known documentation', 'The client fetches from this host without asking')
      : []
  if (kind === 'skill')
    return promptReasons(one.skill).length > 0
      ? []
      : behavior('client', 'default: asks nobody', 'The client runs such a skill without asking')
  return one.isFree
    ? behavior('client', 'default: asks nobody', 'The client runs this tool without asking')
    : []
}

interface Folder {
  readonly name: string
  /** The ground for reading there. */
  readonly reads: string
}

/** The project or added folder that contains the file, if any. */
function folderOf({ names, folders, setup }: Case): Folder | undefined {
  const project = setup.namesOf(setup.project).all
  const outside = names?.all.find((name) => !isAllWithin(project, [name]))
  if (names === undefined || outside === undefined)
    return { name: 'the project', reads: 'default: reads inside the project' }
  if (!isAllWithin(folders, names.all)) return undefined
  const added = folders.find((folder) => isWithin(folder, outside))
  return { name: `${added}, which was added to the project,`, reads: 'default: reads inside added folders' }
}

function freeRead(one: Case, folder: Folder | undefined): GroundCandidate[] {
  const { names, setup, rules, mode } = one
  if (folder !== undefined)
    return behavior('client', folder.reads, `Files of ${folder.name} are read without asking`)
  if (names === undefined) return []
  const slug = setup.project.replaceAll(/[^A-Za-z0-9]/g, '-')
  if (isAllWithin([join(setup.config, 'projects', slug)], names.all))
    return behavior(
      'client',
      "default: reads the session's own files",
      "The client's own data about this project is read without asking",
    )
  // Permission to write a file implies permission to read it.
  const [edit] = rulesAllowingFile(rules.filter(allowsEdits), names.all, setup)
  if (edit !== undefined && !names.all.some((name) => isWithin(setup.config, name)))
    return [
      { ground: groundOf(edit), says: 'Allows the client to write the file, which includes reading it' },
    ]
  return mode.isClassified ? behavior('mode', mode.mode, 'In this mode files are read without asking') : []
}
