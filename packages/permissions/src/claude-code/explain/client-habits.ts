/** What Claude Code does by itself, without or against a rule: by its mode, by where a file stands, by the kind of tool. */

import { join } from 'node:path'
import type { Case } from './case.ts'
import { nowhere, type Ground } from '../../findings/explanation.ts'
import type { GroundCandidate } from './question.ts'
import { allowingFile, allowsEdits, isAllWithin, leadsOut } from './in-force/file-rules.ts'
import { isWithin } from '@contextd/shared/files/within'
import { isGuardedPath } from '../rules/path-rule.ts'
import { freeHosts, hostOf } from './rule-match.ts'
import { groundOf } from './in-force/rules-in-force.ts'
import { acceptsEdits } from './session-mode.ts'
import type { FileNames } from '../setup/setup.ts'
import type { ShellVerdict } from './shell/shell-verdict.ts'
import { wantsOf } from './skills.ts'

export interface Habits {
  /** Refused because a link stands where it would write. */
  readonly linked: readonly GroundCandidate[]
  /** Taken for no call at all. */
  readonly invalid: readonly GroundCandidate[]
  /** Refused because of the mode. */
  readonly refused: readonly GroundCandidate[]
  /** Refused where nobody but a classifier could be asked. */
  readonly dangerous: readonly GroundCandidate[]
  /** Asked about whatever else is said. */
  readonly always: readonly GroundCandidate[]
  /** Let through because nothing is asked. */
  readonly bypass: readonly GroundCandidate[]
  /** Asked about also where a rule allows it. */
  readonly guarded: readonly GroundCandidate[]
  /** Asked about unless a rule allows the whole tool. */
  readonly foreign: readonly GroundCandidate[]
  /** Asked about unless a rule allows the whole tool, or the very words. */
  readonly unchecked: readonly GroundCandidate[]
  /** Done without asking. */
  readonly free: readonly GroundCandidate[]
  /** Asked about because of what it brings. */
  readonly wanting: readonly GroundCandidate[]
}

export function clientHabits(one: Case, shell: ShellVerdict | undefined): Habits {
  const written = one.kind === 'write' ? one.names : undefined
  const guarded = shell?.guarded ?? written?.all.find(isGuardedPath)
  const escape = shell?.escape ?? (written && escapeOf(one, written.all))
  const dangerous = about(
    shell?.danger,
    'removes too much',
    (command) => `\`${command}\` would remove a whole project or home`,
  )
  return {
    linked: written?.isLink === true ? linkInPlace(written) : [],
    invalid: shell?.isRefused
      ? habit('client', 'hidden characters', 'The client runs no command with characters that nobody sees')
      : [],
    refused: guarded === undefined ? refusedByMode(one) : [],
    dangerous: one.mode.isClassified ? dangerous : [],
    always: [
      ...(one.mode.isClassified ? [] : dangerous),
      ...(one.kind === 'agent' && one.mode.isClassified
        ? habit('mode', one.mode.mode, 'In this mode the client asks before it starts an agent')
        : []),
    ],
    bypass:
      one.mode.mode === 'bypassPermissions'
        ? habit('mode', 'bypassPermissions', `Lets everything through${because(one)}`)
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
    wanting: wantsOf(one.skill),
  }
}

function linkInPlace({ all }: FileNames): GroundCandidate[] {
  const says = `The client refuses to write to ${all[0]}, a link to ${all.at(-1)}`
  return habit('client', 'link in place of the file', says)
}

function refusedByMode({ mode, kind, isMcp }: Case): GroundCandidate[] {
  return mode.mode === 'plan' && (kind === 'write' || isMcp)
    ? habit('mode', 'plan', 'While planning, the client neither writes files nor calls tools of MCP servers')
    : []
}

/** Where a path of the project really is, if that is elsewhere and no rule allows to write there. */
function escapeOf({ folders, rules, setup }: Case, names: readonly string[]): string | undefined {
  return leadsOut(names, folders) && allowingFile(rules.filter(allowsEdits), names, setup).length === 0
    ? names.at(-1)
    : undefined
}

function habit(source: Ground['source'], rule: string, says: string): GroundCandidate[] {
  return [{ ground: { ...nowhere, rule, source }, says }]
}

function about(what: string | undefined, rule: string, says: (what: string) => string): GroundCandidate[] {
  return what === undefined ? [] : habit('client', rule, says(what))
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
      ? habit('mode', mode.mode, 'The command only looks, or edits files of the project')
      : habit('client', 'default: commands that only look', 'The command only looks')
  }
  if (kind === 'read') return freeRead(one, folder)
  if (kind === 'write')
    return acceptsEdits(mode) && folder !== undefined
      ? habit('mode', mode.mode, `Files of ${folder.name} are edited without asking${because(one)}`)
      : []
  if (kind === 'fetch')
    return argument !== undefined && freeHosts.has(hostOf(argument))
      ? habit('client', 'default: known documentation', 'The client fetches from this host without asking')
      : []
  if (kind === 'skill')
    return wantsOf(one.skill).length > 0
      ? []
      : habit('client', 'default: asks nobody', 'The client runs such a skill without asking')
  return one.isFree ? habit('client', 'default: asks nobody', 'The client runs this tool without asking') : []
}

interface Folder {
  readonly name: string
  /** How the client's habit to read there is called. */
  readonly reads: string
}

/** Where a file stands, if that is in the project or in a folder that was added to it. */
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
    return habit('client', folder.reads, `Files of ${folder.name} are read without asking`)
  if (names === undefined) return []
  const slug = setup.project.replaceAll(/[^A-Za-z0-9]/g, '-')
  if (isAllWithin([join(setup.config, 'projects', slug)], names.all))
    return habit(
      'client',
      "default: reads the session's own files",
      'What the client keeps of this project is read without asking',
    )
  // Who may write a file may read it.
  const [edit] = allowingFile(rules.filter(allowsEdits), names.all, setup)
  if (edit !== undefined && !names.all.some((name) => isWithin(setup.config, name)))
    return [{ ground: groundOf(edit), says: 'Lets the client write the file, and so read it too' }]
  return mode.isClassified ? habit('mode', mode.mode, 'In this mode files are read without asking') : []
}
