/** A scrubber for text outside of any call, with the rules that apply in the current folder. */

import { existsSync } from 'node:fs'
import { resolve } from 'node:path'

import { LOCAL_TENANT } from '../../core/call.ts'
import { loadConfig } from '../../platform/config/load-config.ts'
import { resolvePaths, type Paths } from '../../platform/files/paths.ts'
import { openStore } from '../../platform/storage/store.ts'
import { createTrust } from '../../platform/trust.ts'
import { loadUserRules, projectRulesFile, type LoadedRules, type RulesPlaces } from './load-user-rules.ts'
import { createScrubber, type Scrubber, type ScrubberOptions } from '@contextd/scrub/internal/engine'

export interface OpenScrubberOptions {
  readonly env: NodeJS.ProcessEnv
  readonly cwd: string
  /** An additional rules file for this run. */
  readonly rulesFile?: string
  readonly decode?: boolean
}

export interface OpenScrubber extends LoadedRules {
  readonly scrubber: Scrubber
}

/** Needs no store, daemon or configuration; throws CONFIG_INVALID for an invalid configuration. */
export async function openScrubber(options: OpenScrubberOptions): Promise<OpenScrubber> {
  const { env, cwd, rulesFile, decode } = options
  const paths = resolvePaths(env)
  const { config } = loadConfig({ userFile: paths.configFile, isTrusted: () => false })
  const loaded = await withTrust(paths, cwd, (isTrusted) =>
    loadUserRules({
      userFile: config.scrub.rules_file,
      configFolder: paths.config,
      allowlists: config.scrub.allowlists,
      ...(rulesFile !== undefined && { extraFile: resolve(cwd, rulesFile) }),
      project: cwd,
      isTrusted,
    }),
  )
  const scrubber = createScrubber({
    deadlineMs: config.scrub.deadline_ms,
    ...(decode !== undefined && { decode }),
    ...rulesFor(loaded),
  })
  return { ...loaded, scrubber }
}

/** The options of `createScrubber` for the user's own rules. */
export function rulesFor({ rules }: LoadedRules): Pick<ScrubberOptions, 'ownRules' | 'unmask'> {
  return {
    ...(rules !== undefined && { ownRules: rules.find }),
    ...(rules?.unmask !== undefined && { unmask: rules.unmask }),
  }
}

/** Without a store, nothing is trusted yet, and scrubbing a text should not create one. */
async function withTrust<T>(
  paths: Paths,
  project: string,
  work: (isTrusted: RulesPlaces['isTrusted']) => Promise<T>,
): Promise<T> {
  if (!existsSync(projectRulesFile(project)) || !existsSync(paths.database)) return work(() => false)
  const store = openStore(paths.database)
  try {
    return await work(createTrust(store, LOCAL_TENANT, Date.now).isTrusted)
  } finally {
    store.close()
  }
}
