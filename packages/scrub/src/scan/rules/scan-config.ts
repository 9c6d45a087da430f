/** Finds the rules file in gitleaks' format for a scan, in the same order as gitleaks. */

import { dirname, join, resolve } from 'node:path'

import { CommonError } from '@contextd/shared/errors/common-error'
import { readSmallFile } from '@contextd/shared/files/small-file'
import type { ConfigProblem } from '../../gitleaks/gitleaks-config.ts'
import { builtinIds, createScanRules, type ScanRules } from './scan-rules.ts'

/**
 * Whether the user trusts a project's rules file; `changed`: it differs from what was trusted.
 *
 * @example
 * import type { FileTrust } from '@contextd/scrub/scan'
 *
 * const trustNothing = (): FileTrust => 'unknown'
 */
export type FileTrust = 'trusted' | 'changed' | 'unknown'

/**
 * User settings that persist across scans.
 *
 * @example
 * import { scan, type UserSettings } from '@contextd/scrub/scan'
 *
 * const settings: UserSettings = {
 *   trustOf: (file) => (file === '/home/me/project/.gitleaks.toml' ? 'trusted' : 'unknown'),
 *   howToTrust: () => 'add it to the list of trusted files',
 *   rulesFile: () => undefined,
 * }
 * await scan({ env: process.env, cwd: process.cwd(), paths: ['.'], settings })
 */
export interface UserSettings {
  /** Whether the user trusts this project file with this content. */
  trustOf(file: string, bytes: Uint8Array): FileTrust
  /** Tells the user how to trust the file in this folder. */
  howToTrust(folder: string): string
  /** Path of the user's own rules file; they apply in addition to the built-in rules. */
  rulesFile(): string | undefined
}

/** Without settings nothing is trusted. */
const noSettings: UserSettings = {
  trustOf: () => 'unknown',
  howToTrust: (folder) => `to apply it, pass --config ${join(folder, '.gitleaks.toml')}`,
  rulesFile: () => undefined,
}

export interface ScanConfigOptions {
  readonly env: NodeJS.ProcessEnv
  readonly cwd: string
  /** `--config`. */
  readonly configFile?: string
  /** Folders that may contain a `.gitleaks.toml`, in order of precedence. */
  readonly folders: readonly string[]
  readonly settings?: UserSettings
}

export interface LoadedScanRules {
  readonly rules: ScanRules
  /** Notes for the user: files that are ignored, parts of a file that have no effect. */
  readonly notes: readonly string[]
}

/** Throws CONFIG_INVALID for a file that cannot be read or parsed: no scan runs with half of its rules. */
export async function loadScanRules(options: ScanConfigOptions): Promise<LoadedScanRules> {
  const notes: string[] = []
  const source = findConfig(options, notes)
  if (source === undefined) return { rules: createScanRules(), notes }
  // The regex engine is large, and most scans do not need it.
  const { readGitleaksConfig } = await import('../../gitleaks/read-config.ts')
  const { config, problems, warnings } = readGitleaksConfig(source, {
    defaultIds: builtinIds(),
    load: source.load,
  })
  if (config === undefined) throw invalid(source.file, problems.map(problemText), problems[0]?.line)
  return {
    rules: createScanRules(config, source.builtin),
    notes: [...notes, ...warnings.map(problemText)],
  }
}

interface Source {
  readonly file: string
  readonly text: string
  readonly load: (path: string) => string
  /** Whether built-in rules always apply too, as with the user's own file. */
  readonly builtin: boolean
}

function findConfig(
  { env, cwd, configFile, folders, settings = noSettings }: ScanConfigOptions,
  notes: string[],
): Source | undefined {
  const specified = configFile ?? env.GITLEAKS_CONFIG
  if (specified) return fromFile(resolve(cwd, specified), cwd, false)
  if (env.GITLEAKS_CONFIG_TOML) {
    const load = loader(cwd, cwd)
    return { file: 'GITLEAKS_CONFIG_TOML', text: env.GITLEAKS_CONFIG_TOML, load, builtin: false }
  }
  return fromProject(folders, settings, notes) ?? fromUser(settings, cwd)
}

/** A file of the repository, which applies only if it is trusted. Trust does not cover the files it extends. */
function fromProject(
  folders: readonly string[],
  settings: UserSettings,
  notes: string[],
): Source | undefined {
  for (const folder of folders) {
    const file = join(folder, '.gitleaks.toml')
    const read = readSmallFile(file)
    if (read.kind === 'missing') continue
    if (read.kind === 'unreadable') {
      notes.push(`${file} ${read.why} and is ignored`)
      continue
    }
    const trust = settings.trustOf(file, read.bytes)
    if (trust !== 'trusted') {
      const why = trust === 'changed' ? 'has changed since it was trusted' : 'is not trusted'
      notes.push(`${file} ${why} and is ignored; ${settings.howToTrust(folder)}`)
    } else {
      const load = (): never => {
        throw new Error('trust covers only the file itself; use --config to load files that it extends')
      }
      return { file, text: decode(file, read.bytes), load, builtin: false }
    }
  }
  return undefined
}

function fromUser(settings: UserSettings, cwd: string): Source | undefined {
  const file = settings.rulesFile()
  return file === undefined ? undefined : fromFile(file, cwd, true)
}

function fromFile(file: string, cwd: string, builtin: boolean): Source {
  const read = readSmallFile(file)
  if (read.kind !== 'bytes') {
    throw invalid(file, [`${file}: ${read.kind === 'missing' ? 'does not exist' : read.why}`])
  }
  return { file, text: decode(file, read.bytes), load: loader(cwd, dirname(file)), builtin }
}

/** gitleaks resolves paths from its working directory; users also write them relative to the file. */
function loader(cwd: string, folder: string): (path: string) => string {
  return (path) => {
    const candidates = [resolve(cwd, path), resolve(folder, path)]
    for (const file of candidates) {
      const read = readSmallFile(file)
      if (read.kind === 'bytes') return new TextDecoder('utf-8', { fatal: true }).decode(read.bytes)
      if (read.kind === 'unreadable') throw new Error(read.why)
    }
    throw new Error('does not exist')
  }
}

function decode(file: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw invalid(file, [`${file}: is not UTF-8 text`])
  }
}

function problemText({ file, line, message }: ConfigProblem): string {
  return `${file}:${line}: ${message}`
}

/** A file that is invalid throughout must not produce an endless message. */
const maxProblems = 20

function invalid(file: string, problems: readonly string[], line?: number): CommonError {
  return new CommonError('CONFIG_INVALID', {
    problem: problems.slice(0, maxProblems).join('\n'),
    file,
    line,
    hint: 'Correct the file at the reported line; docs/reference/gitleaks.md lists every key.',
  })
}
