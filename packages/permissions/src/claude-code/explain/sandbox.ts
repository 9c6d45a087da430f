/** The client's command sandbox as configured by the settings of all levels. Pure. */

import { isJsonObject, isTexts, type Json } from '@contextd/shared/json/value'
import { jsonPlace } from '../read/json-file.ts'
import type { ClaudeSetup, Level, SettingsFile } from '../setup/setup.ts'
import type { Case } from './case.ts'
import type { GroundCandidate } from './question.ts'

export interface ClaudeSandbox {
  /** The settings file that enables it. */
  readonly on: SettingsFile
  /** The settings file that lets sandboxed commands run without asking, if any. */
  readonly unasked?: SettingsFile
  /** Whether the client refuses to start if the sandbox is unavailable. */
  readonly isRequired: boolean
  /** Whether no call can request to run outside the sandbox. */
  readonly isStrict: boolean
  /** Patterns of commands that run outside the sandbox, with the files that define them. */
  readonly excluded: readonly ExcludedCommand[]
}

export interface ExcludedCommand {
  readonly file: SettingsFile
  readonly index: number
  readonly pattern: string
}

/** Undefined if the sandbox is disabled. Does not check whether it can start on this machine. */
export function sandboxOf(setup: ClaudeSetup): ClaudeSandbox | undefined {
  const files = strongestFirst(setup)
  const isForced = isForcedIn(files)
  const setting = (key: string, among = files): SwitchSetting | undefined =>
    effectiveSwitch(among, key, isForced)
  const on = setting('enabled')
  if (on?.value !== true) return undefined
  const unasked = setting('autoAllowBashIfSandboxed')
  const trusted = files.filter(({ level }) => !isOfProject(level))
  return {
    on: on.file,
    ...(unasked?.value === true && { unasked: unasked.file }),
    isRequired: setting('failIfUnavailable')?.value === true,
    // A project cannot re-enable what the user has forbidden.
    isStrict: [files, trusted].some((among) => setting('allowUnsandboxedCommands', among)?.value === false),
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

/** A boolean setting, with the file that determines it. */
interface SwitchSetting {
  readonly file: SettingsFile
  readonly value: boolean
}

export function sandboxSwitch(setup: ClaudeSetup, key: string): SwitchSetting | undefined {
  const files = strongestFirst(setup)
  return effectiveSwitch(files, key, isForcedIn(files))
}

/** Workspace trust does not matter: sandbox settings of a project apply immediately. */
function effectiveSwitch(
  files: readonly SettingsFile[],
  key: string,
  isForced: boolean,
): SwitchSetting | undefined {
  for (const file of files) {
    const value = sandboxIn(file, key)
    const isLoosening = value === false && key !== 'allowUnsandboxedCommands' && isOfProject(file.level)
    if (typeof value === 'boolean' && !(isForced && isLoosening)) return { file, value }
  }
  return undefined
}

/** Whether managed settings prevent projects from loosening the sandbox. */
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

/** A value below `sandbox` in one settings file. */
export function sandboxIn({ value: { sandbox } }: SettingsFile, key: string): Json | undefined {
  return isJsonObject(sandbox) ? sandbox[key] : undefined
}

/** The last managed file has the highest precedence. */
function strongestFirst({ settings }: ClaudeSetup): readonly SettingsFile[] {
  const managed = settings.filter(({ level }) => level === 'managed')
  return [...managed.toReversed(), ...settings.filter(({ level }) => level !== 'managed')]
}

/** For cases where sandboxed commands run without asking: the deciding setting and the excluded commands. */
export interface AutoAllowSandbox {
  readonly excluded: readonly string[]
  readonly candidate: GroundCandidate
}

/** Applies to Bash only; in plan mode the client asks anyway. */
export function autoAllowSandbox({ setup, tool, mode }: Case): AutoAllowSandbox | undefined {
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
      says: 'The client runs the command in its sandbox without asking (if that cannot start, it decides as if it were disabled)',
    },
  }
}
