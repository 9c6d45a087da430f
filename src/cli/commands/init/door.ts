/** Whether Claude Code goes through the model door, and what its base URL was until now. */

import { existsSync } from 'node:fs'

import {
  exceptionsVariable,
  providerVariable,
  proxyVariable,
  type Environment,
} from '../../../clients/claude-code/door-environment.ts'
import type { DoorSettings } from '../../../clients/claude-code/init-door.ts'
import {
  readSettingsObject,
  settingsFiles,
  variablesOf,
} from '../../../clients/claude-code/settings-variables.ts'
import type { Remembered } from '../../../clients/init/client-file.ts'
import { withProvider, withProviders } from '../../../clients/init/provider-setting.ts'
import { doorObstacle, doorUrl, readDoorUrl } from '../../../clients/model-door/door-url.ts'
import type { DoorProvider } from '../../../clients/model-door/providers.ts'
import { ContextdError } from '../../../core/errors/errors.ts'
import { configSchema, providerUrlRule, type Config } from '../../../platform/config/config-schema.ts'
import { modelKeyFile } from '../../../platform/secrets/model-keys.ts'
import { resolvePaths, type Paths } from '../../../platform/files/paths.ts'
import { readSmallText } from '@contextd/shared/files/small-file'
import { ensureClientKey } from '../../support/client-key.ts'
import type { CliIo } from '@contextd/shared/cli/output'
import { withRecords } from '../../support/with-runtime.ts'
import type { FileChange } from '@contextd/shared/changes/change'
import { userSettingsFile } from './plan.ts'
import { otherJournals } from './undo-journal.ts'

const client = 'claude-code'
/** Placeholder for a key that is created once the user has agreed. */
const keyToCome = 'key-to-be-created'

export interface DoorPlan {
  /** Absent if hooks scrub. */
  readonly settings?: DoorSettings
  /** New upstream of the door, if the client had a base URL. */
  readonly provider?: string
  /** The address comes from the project, or replaces another one: the user has to see that. */
  readonly needsConfirmation: boolean
  readonly notes: readonly string[]
}

export const noDoor: DoorPlan = { needsConfirmation: false, notes: [] }

export async function planDoor(
  project: string | undefined,
  { config, sources }: { config: Config; sources: ReadonlyMap<string, unknown> },
  io: CliIo,
): Promise<DoorPlan> {
  const { own, projects } = variablesBefore(project, io)
  const env = { ...own, ...projects }
  const obstacle = obstacleFor(config, env)
  if (obstacle !== undefined) {
    return { ...noDoor, notes: [`the model door stays off, and hooks scrub tool output: ${obstacle}`] }
  }
  const url = doorUrl({ port: config.http.port, key: await storedKey(io), provider: 'anthropic' })
  const noProxy = neededNoProxy(env)
  const settings = { url, ...(noProxy !== undefined && { noProxy }) }
  const before = env.ANTHROPIC_BASE_URL?.replace(/(?<!\/)\/+$/, '')
  const isOurs = !before || readDoorUrl(before) !== undefined || before === config.model.anthropic
  if (isOurs) return { settings, needsConfirmation: false, notes: [] }
  if (!configSchema.safeParse({ model: { anthropic: before } }).success) {
    throw new ContextdError('USAGE', {
      // Without the address: it may contain credentials.
      problem: `the model door cannot send requests to ANTHROPIC_BASE_URL: model.anthropic must be ${providerUrlRule}`,
      hint: 'Change ANTHROPIC_BASE_URL, or run `ctxd init --no-door` to have hooks scrub the output of tools.',
    })
  }
  const isProjects = Boolean(projects.ANTHROPIC_BASE_URL)
  return {
    settings,
    provider: before,
    needsConfirmation: isProjects || sources.has('model.anthropic'),
    notes: [
      `requests are forwarded to ${before}, the client's previous base URL; this applies to all projects`,
    ],
  }
}

/** Set whenever there is a proxy, so that a second run finds the same. */
function neededNoProxy(env: Environment): DoorSettings['noProxy'] {
  if (proxyVariable({ ...env, NO_PROXY: '', no_proxy: '' }) === undefined) return undefined
  const variable = exceptionsVariable(env)
  const hosts = (env[variable] ?? '').split(/[\s,]+/).filter(Boolean)
  return { variable, hosts: [...new Set([...hosts, '127.0.0.1'])].join(',') }
}

function obstacleFor({ http }: Config, env: Environment): string | undefined {
  const provider = providerVariable(env)
  return provider === undefined
    ? doorObstacle(http)
    : `with ${provider} the client uses an API that the door does not support`
}

/** Merged like in the client: settings override the environment, and project settings override the user's. */
function variablesBefore(
  project: string | undefined,
  { env }: CliIo,
): { own: Environment; projects: Environment } {
  const [userFile = '', ...shared] = settingsFiles(userSettingsFile(env), project)
  const variables = (file: string): Environment => variablesOf(readSettingsObject(file))
  return {
    own: { ...env, ...variables(userFile) },
    projects: Object.assign({}, ...shared.map(variables)) as Environment,
  }
}

/** Creates nothing. */
async function storedKey(io: CliIo): Promise<string> {
  const file = modelKeyFile(resolvePaths(io.env), client)
  if (!existsSync(file)) return keyToCome
  const stored = readSmallText(file)?.trim() ?? ''
  const isLive = await withRecords(io, ({ modelKeys }) => modelKeys.isLive(stored))
  return isLive ? stored : keyToCome
}

/** The texts with the key, which is created now. */
export async function withKey<T extends Planned>(planned: T, io: CliIo): Promise<T> {
  const needsKey = planned.changes.some(({ to }) => to?.includes(keyToCome))
  if (!needsKey) return planned
  const key = await ensureClientKey(client, io)
  const put = (text: string): string => text.replaceAll(keyToCome, key)
  return {
    ...planned,
    changes: planned.changes.map((change) => ({ ...change, to: change.to && put(change.to) })),
    remembered: planned.remembered.map((one) => ({ ...one, after: put(one.after) })),
  }
}

interface Planned {
  readonly changes: readonly FileChange[]
  readonly remembered: readonly Remembered[]
}

/** Required configuration. */
export interface BehindDoor {
  readonly anthropic: string | undefined
  readonly others: readonly DoorProvider[]
}

/** The configuration with the door's upstreams. */
export function withDoorProviders(text: string, { anthropic, others }: BehindDoor, path: string): string {
  const own = anthropic === undefined ? text : withProvider(text, anthropic, path)
  return withProviders(own, others, path)
}

/** Other projects, or a setup for all of them, may still need the address. */
export function isDoorUsedElsewhere(paths: Paths, memory: string): boolean {
  return otherJournals(paths, memory).some((file) =>
    /\/model\/ctxm_/.test(readSmallText(file, 67_108_864) ?? ''),
  )
}

/** A text for display. */
export function hideKey(text: string): string {
  return text.replaceAll(/(\/model\/)[\w-]+(?=\/anthropic)/g, '$1<key>')
}
