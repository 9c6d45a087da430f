/** Finds the file in gitleaks' format that a scan goes by, in the order in which gitleaks looks for one. */

import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

import { LOCAL_TENANT } from '../../../core/call.ts'
import { ContextdError } from '../../../core/errors.ts'
import { loadConfig } from '../../../platform/config/load-config.ts'
import { resolvePaths } from '../../../platform/paths.ts'
import { readSmallFile } from '../../../platform/small-file.ts'
import { openStore } from '../../../platform/storage/store.ts'
import { createTrust, projectFileOf } from '../../../platform/trust.ts'
import type { ConfigProblem } from '../gitleaks/gitleaks-config.ts'
import { builtinIds, createScanRules, type ScanRules } from './scan-rules.ts'

export interface ConfigPlaces {
  readonly env: NodeJS.ProcessEnv
  readonly cwd: string
  /** `--config`. */
  readonly configFile?: string
  /** Folders that may hold a `.gitleaks.toml`, the first one first. */
  readonly folders: readonly string[]
}

export interface LoadedScanRules {
  readonly rules: ScanRules
  /** What a person should know: a file that does not count, a part of one that has no effect. */
  readonly notes: readonly string[]
}

/** Throws CONFIG_INVALID for a file that cannot be read or understood: nothing is scanned with half of the rules. */
export async function loadScanRules(places: ConfigPlaces): Promise<LoadedScanRules> {
  const notes: string[] = []
  const source = findConfig(places, notes)
  if (source === undefined) return { rules: createScanRules(), notes }
  // The reader of patterns is large, and most scans need none.
  const { readGitleaksConfig } = await import('../gitleaks/read-config.ts')
  const { config, problems, warnings } = readGitleaksConfig(source, {
    defaultIds: builtinIds(),
    load: source.load,
  })
  if (config === undefined) throw invalid(source.file, problems.map(placed), problems[0]?.line)
  return {
    rules: createScanRules(config, source.builtin),
    notes: [...notes, ...warnings.map(placed)],
  }
}

interface Source {
  readonly file: string
  readonly text: string
  readonly load: (path: string) => string
  /** Whether our rules count besides, as those of the person's own file always do. */
  readonly builtin: boolean
}

function findConfig({ env, cwd, configFile, folders }: ConfigPlaces, notes: string[]): Source | undefined {
  const named = configFile ?? env.GITLEAKS_CONFIG
  if (named) return fromFile(resolve(cwd, named), cwd, false)
  if (env.GITLEAKS_CONFIG_TOML) {
    const load = loader(cwd, cwd)
    return { file: 'GITLEAKS_CONFIG_TOML', text: env.GITLEAKS_CONFIG_TOML, load, builtin: false }
  }
  return fromProject(folders, env, notes) ?? fromPerson(env, cwd)
}

/** The file of a repository, which is a stranger's until it is trusted. What it extends is not pinned by trust. */
function fromProject(
  folders: readonly string[],
  env: NodeJS.ProcessEnv,
  notes: string[],
): Source | undefined {
  for (const folder of folders) {
    const file = join(folder, '.gitleaks.toml')
    const read = readSmallFile(file)
    if (read.kind === 'missing') continue
    if (read.kind === 'unreadable') {
      notes.push(`${file} ${read.why} and does not count`)
      continue
    }
    const trust = trustIn(file, read.bytes, env)
    if (trust !== 'trusted') {
      const why = trust === 'changed' ? 'has changed since it was trusted' : 'is not trusted'
      notes.push(`${file} ${why} and does not count; read it, then run \`ctxd trust ${folder}\``)
    } else {
      const load = (): never => {
        throw new Error('trust is for the file itself, not for others; use --config to go by both')
      }
      return { file, text: decode(file, read.bytes), load, builtin: false }
    }
  }
  return undefined
}

/** Without a store nothing is trusted yet, and a scan is no reason to make one. */
function trustIn(file: string, bytes: Uint8Array, env: NodeJS.ProcessEnv): 'trusted' | 'changed' | 'unknown' {
  const { database } = resolvePaths(env)
  if (!existsSync(database)) return 'unknown'
  const store = openStore(database)
  try {
    const trust = createTrust(store, LOCAL_TENANT, Date.now)
    if (trust.isTrusted(file, bytes)) return 'trusted'
    return trust.list().some(({ path }) => path === projectFileOf(file)?.path) ? 'changed' : 'unknown'
  } finally {
    store.close()
  }
}

function fromPerson(env: NodeJS.ProcessEnv, cwd: string): Source | undefined {
  const paths = resolvePaths(env)
  const { config } = loadConfig({ userFile: paths.configFile, isTrusted: () => false })
  const named = config.scrub.rules_file
  return named === '' ? undefined : fromFile(resolve(paths.config, named), cwd, true)
}

function fromFile(file: string, cwd: string, builtin: boolean): Source {
  const read = readSmallFile(file)
  if (read.kind !== 'bytes') {
    throw invalid(file, [`${file}: ${read.kind === 'missing' ? 'does not exist' : read.why}`])
  }
  return { file, text: decode(file, read.bytes), load: loader(cwd, dirname(file)), builtin }
}

/** A path in a file is meant from where gitleaks is run; people also write it as seen from the file. */
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

function placed({ file, line, message }: ConfigProblem): string {
  return `${file}:${line}: ${message}`
}

/** A file full of nonsense must not answer with as much. */
const maxProblems = 20

function invalid(file: string, problems: readonly string[], line?: number): ContextdError {
  return new ContextdError('CONFIG_INVALID', {
    problem: problems.slice(0, maxProblems).join('\n'),
    file,
    line,
    hint: 'Correct the file at the place named; docs/reference/gitleaks.md lists every key.',
  })
}
