/**
 * The current status, for display: reads only, creates nothing, and reports parts that do not load along with those
 * that do.
 */

import { existsSync } from 'node:fs'

import { LOCAL_TENANT } from '../core/call.ts'
import { CodedError, ContextdError } from '../core/errors/errors.ts'
import type { Config } from '../platform/config/config-schema.ts'
import { formatProblem } from '../platform/config/json-problem.ts'
import { loadConfig } from '../platform/config/load-config.ts'
import { resolvePaths, type Paths } from '../platform/files/paths.ts'
import { countRows } from '../platform/storage/count-rows.ts'
import { openStore, type Store } from '../platform/storage/store.ts'
import { tlsConfigProblem } from '../platform/tls/tls-config-problem.ts'
import { createTrust } from '../platform/trust.ts'
import { recentRecords, type Recent } from '../stages/audit/recent.ts'
import { discoverRules } from '../stages/policy/discover-rules.ts'
import { createRuleBook, type RuleBookStatus } from '../stages/policy/rule-book.ts'
import type { ServersSurvey } from '../tools/upstream/servers/survey-servers.ts'
import { surveyFiles } from './survey-files.ts'

/** Why something is not available, and how to fix it. */
export interface Unavailable {
  readonly problem: string
  readonly fix: string
}
export type Availability<T> = { readonly value: T } | Unavailable

export interface StatusSnapshot {
  readonly config: Availability<Config>
  readonly rules: Availability<{
    readonly agents: readonly string[]
    readonly files: RuleBookStatus['files']
  }>
  readonly servers: Availability<ServersSurvey['servers']>
  readonly certificates: Availability<undefined>
  /** The value is undefined if nothing was ever stored. */
  readonly records: Availability<StoredRecords | undefined>
}

export interface StoredRecords extends Recent {
  readonly memories: number
  readonly checkpoints: number
}

export interface SnapshotOptions {
  readonly env: NodeJS.ProcessEnv
  readonly cwd: string
  /** Masked secrets are counted from this time on. */
  readonly since: number
  readonly refusals: number
}

export function takeStatusSnapshot({ env, cwd, since, refusals }: SnapshotOptions): StatusSnapshot {
  const paths = resolvePaths(env)
  const opened = attempt(() => (existsSync(paths.database) ? openStore(paths.database) : undefined))
  const store = 'value' in opened ? opened.value : undefined
  try {
    const isTrusted = store === undefined ? () => false : createTrust(store, LOCAL_TENANT, Date.now).isTrusted
    return {
      config: attempt(() => loadConfig({ userFile: paths.configFile, project: cwd, isTrusted }).config),
      rules: attempt(() => readRules(env, paths, cwd, isTrusted)),
      servers: attempt(() => readServers({ env, cwd }, isTrusted, store)),
      certificates: attempt(() => assertWholeTls(paths)),
      records: 'value' in opened ? attempt(() => store && readRecords(store, { since, refusals })) : opened,
    }
  } finally {
    store?.close()
  }
}

function attempt<T>(work: () => T): Availability<T> {
  try {
    return { value: work() }
  } catch (error) {
    if (!(error instanceof CodedError)) return { problem: String(error), fix: 'Run `ctxd doctor`.' }
    const { message, hint = 'Run `ctxd doctor`.' } = error.toObject()
    return { problem: message, fix: hint }
  }
}

function assertWholeTls({ tls }: Paths): undefined {
  const problem = tlsConfigProblem(tls, Date.now())
  if (problem !== undefined) throw problem
}

type IsTrusted = (path: string, bytes: Uint8Array) => boolean

function readRules(env: NodeJS.ProcessEnv, paths: Paths, cwd: string, isTrusted: IsTrusted) {
  const files = discoverRules(env, paths, cwd)
  const book = createRuleBook({ files, isTrusted, clock: Date.now, onEvent: () => {}, log: () => {} })
  try {
    return { agents: [...book.current().agents.keys()], files: book.status().files }
  } finally {
    book.close()
  }
}

function readServers(
  place: { readonly env: NodeJS.ProcessEnv; readonly cwd: string },
  isTrusted: IsTrusted,
  store: Store | undefined,
): ServersSurvey['servers'] {
  const { servers, problems } = surveyFiles({ store, isTrusted }, place)
  const [problem] = problems
  if (problem !== undefined) {
    throw new ContextdError('SERVERS_INVALID', {
      problem: formatProblem(problem),
      hint: 'Correct the file at that position.',
    })
  }
  return servers
}

function readRecords(store: Store, which: { since: number; refusals: number }): StoredRecords {
  return {
    ...recentRecords(store, which),
    memories: countRows(store, 'memories', LOCAL_TENANT),
    checkpoints: countRows(store, 'checkpoints', LOCAL_TENANT),
  }
}
