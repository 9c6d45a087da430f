/** Loads the user's own rules: from the configured file, one given on the command line, and the project. */

import { join, resolve } from 'node:path'

import { readSmallFile } from '@contextd/shared/files/small-file'
import type { RulesFile, UserRules } from '@contextd/scrub/gitleaks'
import { readRulesFile, rulesText } from '@contextd/scrub/internal/rules-file'

export interface RulesPlaces {
  /** `scrub.rules_file`, relative to the configuration folder unless absolute; empty for none. */
  readonly userFile: string
  readonly configFolder: string
  /** `scrub.allowlists`. */
  readonly allowlists: boolean
  /** Given on the command line. */
  readonly extraFile?: string
  /** The project folder; absent for callers without a project. */
  readonly project?: string
  readonly isTrusted: (path: string, bytes: Uint8Array) => boolean
}

/** A rules file with everything it extends, as data. */
export interface UserRulesSource {
  readonly file: string
  readonly text: string
  readonly mayUnmask: boolean
  readonly extended: readonly { readonly from: string; readonly path: string; readonly text: string }[]
}

export interface LoadedRules {
  /** Absent if there is no rules file. */
  readonly rules?: UserRules
  /** The sources of the rules, for another thread to load them again. */
  readonly sources?: readonly UserRulesSource[]
  /** A project file that was found but not used, and why. */
  readonly ignored?: { readonly file: string; readonly why: string }
  /** Parts of a file that are ignored. */
  readonly warnings: readonly string[]
}

export function projectRulesFile(project: string): string {
  return join(project, '.gitleaks.toml')
}

/** Throws CONFIG_INVALID for a file that cannot be read or parsed: nothing is scrubbed with incomplete rules. */
export async function loadUserRules(places: RulesPlaces): Promise<LoadedRules> {
  const { userFile, configFolder, allowlists, extraFile, project, isTrusted } = places
  const files: RulesFile[] = []
  const warnings: string[] = []
  let ignored: LoadedRules['ignored']
  if (userFile !== '') files.push(readRulesFile(resolve(configFolder, userFile), allowlists))
  if (extraFile !== undefined) files.push(readRulesFile(extraFile, allowlists))
  if (project !== undefined) {
    const file = projectRulesFile(project)
    const read = readSmallFile(file)
    if (read.kind === 'unreadable') ignored = { file, why: read.why }
    else if (read.kind === 'bytes') {
      if (isTrusted(file, read.bytes)) files.push(projectFile(file, read.bytes, warnings))
      else ignored = { file, why: 'is not trusted; run `ctxd trust`' }
    }
  }
  if (files.length === 0) return { warnings, ...(ignored && { ignored }) }
  // The pattern parser is large, and most users have no rules of their own.
  const { readUserRules } = await import('@contextd/scrub/gitleaks')
  const recorded = files.map(recordExtended)
  const rules = readUserRules(recorded.map(({ file }) => file))
  const sources = recorded.map(({ source }) => source)
  return { rules, sources, warnings: [...warnings, ...rules.warnings], ...(ignored && { ignored }) }
}

/** Loads the same rules in another thread. */
export async function rulesFrom(sources: readonly UserRulesSource[]): Promise<UserRules | undefined> {
  if (sources.length === 0) return undefined
  const { readUserRules } = await import('@contextd/scrub/gitleaks')
  return readUserRules(
    sources.map(({ extended, ...file }) => ({
      ...file,
      load(path, from) {
        const found = extended.find((one) => one.path === path && one.from === from)
        if (found === undefined) throw new Error('does not exist')
        return found.text
      },
    })),
  )
}

function recordExtended(file: RulesFile): { readonly file: RulesFile; readonly source: UserRulesSource } {
  const extended: { from: string; path: string; text: string }[] = []
  const load = (path: string, from: string): string => {
    const text = file.load(path, from)
    extended.push({ from, path, text })
    return text
  }
  const { file: name, text, mayUnmask } = file
  return { file: { ...file, load }, source: { file: name, text, mayUnmask, extended } }
}

/** Adds rules and removes none. Files it extends are not covered by trust, and therefore not read. */
function projectFile(file: string, bytes: Uint8Array, warnings: string[]): RulesFile {
  const load = (path: string): string => {
    warnings.push(`${file}: extends ${JSON.stringify(path)}, which is not read: trust is for the file itself`)
    return ''
  }
  return { file, text: rulesText(file, bytes), mayUnmask: false, load }
}
