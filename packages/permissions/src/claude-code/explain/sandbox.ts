/** The client's own sandbox for commands, as the settings of all levels together have it. Pure. */

import { isJsonObject, isTexts, type Json } from '@contextd/shared/json/value'
import { jsonPlace } from '../read/json-file.ts'
import type { ClaudeSetup, Level, SettingsFile } from '../setup/setup.ts'
import type { Case } from './case.ts'
import type { GroundCandidate } from './question.ts'

export interface ClaudeSandbox {
  /** Who switches it on. */
  readonly on: SettingsFile
  /** Who lets commands run in it without asking; nobody unless it is said. */
  readonly unasked?: SettingsFile
  /** Whether the client does not even start where the sandbox cannot. */
  readonly isRequired: boolean
  /** Whether no call can ask to run outside. */
  readonly isStrict: boolean
  /** Patterns of commands that run outside, with who wrote them. */
  readonly excluded: readonly ExcludedCommand[]
}

export interface ExcludedCommand {
  readonly file: SettingsFile
  readonly index: number
  readonly pattern: string
}

/** Undefined where it is off. Whether it can start on a machine is not asked. */
export function sandboxOf(setup: ClaudeSetup): ClaudeSandbox | undefined {
  const files = strongestFirst(setup)
  const isForced = isForcedIn(files)
  const said = (key: string, among = files): Said | undefined => firstSaid(among, key, isForced)
  const on = said('enabled')
  if (on?.value !== true) return undefined
  const unasked = said('autoAllowBashIfSandboxed')
  const trusted = files.filter(({ level }) => !isOfProject(level))
  return {
    on: on.file,
    ...(unasked?.value === true && { unasked: unasked.file }),
    isRequired: said('failIfUnavailable')?.value === true,
    // What the user forbids stays so.
    isStrict: [files, trusted].some((among) => said('allowUnsandboxedCommands', among)?.value === false),
    excluded: files
      .filter(({ level }) => !(isForced && isOfProject(level)))
      .flatMap((file) =>
        textItems(sandboxIn(file, 'excludedCommands')).map((text, index) => excludes(file, text, index)),
      ),
  }
}

const excludes = (file: SettingsFile, pattern: string, index: number): ExcludedCommand => ({
  file,
  index,
  pattern,
})

export const textItems = (value: Json | undefined): readonly string[] =>
  value !== undefined && isTexts(value) ? value : []

/** A switch, with who has the last word on it. */
interface Said {
  readonly file: SettingsFile
  readonly value: boolean
}

export function saidOfSandbox(setup: ClaudeSetup, key: string): Said | undefined {
  const files = strongestFirst(setup)
  return firstSaid(files, key, isForcedIn(files))
}

/** Trust does not count: what a project says of the sandbox holds from the start. */
function firstSaid(files: readonly SettingsFile[], key: string, isForced: boolean): Said | undefined {
  for (const file of files) {
    const value = sandboxIn(file, key)
    const isLoosening = value === false && key !== 'allowUnsandboxedCommands' && isOfProject(file.level)
    if (typeof value === 'boolean' && !(isForced && isLoosening)) return { file, value }
  }
  return undefined
}

/** Whether the administrator keeps projects from loosening the sandbox. */
function isForcedIn(files: readonly SettingsFile[]): boolean {
  return files.some((file) => {
    if (file.level !== 'managed') return false
    const network = sandboxIn(file, 'network')
    const isClosed = isJsonObject(network) && network.allowManagedDomainsOnly === true
    return isClosed || sandboxIn(file, 'allowUnsandboxedCommands') === false
  })
}

export function isOfProject(level: Level): boolean {
  return level === 'project' || level === 'local'
}

/** What a file says under `sandbox`. */
export function sandboxIn({ value: { sandbox } }: SettingsFile, key: string): Json | undefined {
  return isJsonObject(sandbox) ? sandbox[key] : undefined
}

/** Of the administrator's files the last has the last word. */
function strongestFirst({ settings }: ClaudeSetup): readonly SettingsFile[] {
  const managed = settings.filter(({ level }) => level === 'managed')
  return [...managed.toReversed(), ...settings.filter(({ level }) => level !== 'managed')]
}

/** Where commands of this case run in the sandbox without asking: who says so, and what runs outside. */
export interface UnaskedSandbox {
  readonly excluded: readonly string[]
  readonly candidate: GroundCandidate
}

/** It is for Bash alone, and while planning the client asks all the same. */
export function unaskedSandbox({ setup, tool, mode }: Case): UnaskedSandbox | undefined {
  const sandbox = tool.name === 'Bash' && mode.mode !== 'plan' ? sandboxOf(setup) : undefined
  if (sandbox?.unasked === undefined) return undefined
  const { file, document, level } = sandbox.unasked
  const key = 'autoAllowBashIfSandboxed'
  return {
    excluded: sandbox.excluded.map(({ pattern }) => pattern),
    candidate: {
      ground: {
        file,
        ...jsonPlace(document, ['sandbox', key], 'key'),
        rule: `sandbox.${key}`,
        source: level,
      },
      says: 'The client runs the command in its sandbox without asking (where that cannot start, it decides as without one)',
    },
  }
}
