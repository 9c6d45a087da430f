/**
 * The configuration. The file is authoritative: it is read for every request, regardless of what the daemon started
 * with.
 */

import { once } from 'node:events'

import type { RuntimeCore } from '../../../compose.ts'
import { OPERATOR, type Call } from '../../../core/call.ts'
import { CodedError, ContextdError } from '../../../core/errors/errors.ts'
import { mapStrings, type Json, type JsonObject } from '@contextd/shared/json/value'
import type { ConfigKey, ConfigValue, ConfigSetting } from '../../../platform/config/config-schema.ts'
import type { LoadedConfig } from '../../../platform/config/load-config.ts'
import { readSmallFile, replaceFile } from '@contextd/shared/files/small-file'
import { pollRegularly, watchFiles } from '../../../platform/files/watched-files.ts'
import type { FollowHost, Operation } from './operation.ts'
import { stringsField, theText, wrong } from './request.ts'

export const configOperations: readonly Operation[] = [
  {
    rpc: 'Config/Get',
    run: async (request, { runtime }) => describeKey(theText(request, 'key'), await load(runtime)),
  },
  {
    rpc: 'Config/List',
    run: async (_request, { runtime }) => describeAll(await load(runtime)),
  },
  {
    rpc: 'Config/Set',
    async run(request, { runtime, call }) {
      const key = theText(request, 'key')
      const value = valueIn(request)
      await refuseRestrictedKeys(key, call)
      const file = runtime.paths.configFile
      const { write } = await editOf(file, key, value)
      write()
      runtime.audit.event('config-set', { key })
      return { key, value: plain(value), file }
    },
  },
  {
    rpc: 'Config/Watch',
    async run(request) {
      await namedKeys(request)
      return {}
    },
    follow: watch,
  },
]

/** Settings that restrict agents can only be set by the operator, whatever the rules allow. */
async function refuseRestrictedKeys(key: string, { principal }: Call): Promise<void> {
  const { projectKeys } = await schema()
  if (principal?.agent === OPERATOR || (projectKeys as readonly string[]).includes(key)) return
  throw new ContextdError('OPERATOR_REQUIRED', { why: 'agents may not change this setting' })
}

/** Loaded on demand: commands that read a single value should not wait for it. */
const schema = () => import('../../../platform/config/config-schema.ts')

async function load({ paths, project, trust }: RuntimeCore): Promise<LoadedConfig> {
  const { loadConfig } = await import('../../../platform/config/load-config.ts')
  return loadConfig({ userFile: paths.configFile, project, isTrusted: trust.isTrusted })
}

/** The response of `ctxd config get`. */
export async function describeKey(name: string, loaded: LoadedConfig): Promise<JsonObject> {
  const { readSetting } = await schema()
  const { key } = await settingNamed(name)
  const { config, sources, ignored } = loaded
  return {
    key,
    value: plain(readSetting(config, key)),
    source: sources.get(key) ?? 'default',
    ...(ignored !== undefined && { ignored: { ...ignored } }),
  }
}

/** The response of `ctxd config list`. */
export async function describeAll({ config, sources, ignored }: LoadedConfig): Promise<JsonObject> {
  const { readSetting, settings } = await schema()
  const found = Array.from(settings().values(), ({ key, default: fallback, expected, description }) => ({
    key,
    value: plain(readSetting(config, key)),
    source: sources.get(key) ?? 'default',
    default: plain(fallback),
    expected,
    description,
  }))
  return { settings: found, ...(ignored !== undefined && { ignored: { ...ignored } }) }
}

export async function settingNamed(key: string): Promise<ConfigSetting> {
  const { settings } = await schema()
  const { findSetting } = await import('../../../platform/config/edit-config.ts')
  const inside = [...settings().keys()].filter((known) => known.startsWith(`${key}.`))
  if (inside.length === 0) return findSetting(key)
  throw new ContextdError('USAGE', { problem: `${key} is a section; its keys are ${inside.join(', ')}` })
}

/**
 * Prepares a change of one key in the user's file. Throws for what would be invalid in a manual edit too. `write`
 * reads the file again, because it may have changed.
 */
export async function editOf(file: string, key: string, value: ConfigValue): Promise<{ write(): void }> {
  const { setKey } = await import('../../../platform/config/edit-config.ts')
  const { decodeConfig } = await import('../../../platform/config/load-config.ts')
  await settingNamed(key)
  const edited = (): string => {
    const read = readSmallFile(file)
    if (read.kind === 'unreadable') throw unusable(file, read.why)
    return setKey(read.kind === 'bytes' ? decodeConfig(read.bytes, file) : '', key, value, file)
  }
  edited()
  return {
    write() {
      try {
        replaceFile(file, edited())
      } catch (error) {
        if (error instanceof CodedError) throw error
        throw unusable(file, `cannot be written (${(error as NodeJS.ErrnoException).code})`)
      }
    },
  }
}

function unusable(file: string, why: string): ContextdError {
  return new ContextdError('CONFIG_INVALID', {
    problem: `${file}: ${why}`,
    file,
    hint: 'Correct the permissions of the file.',
  })
}

function valueIn({ value }: JsonObject): ConfigValue {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value
  throw wrong('value', 'a string, a number, true or false, or a list of strings')
}

function plain(value: ConfigValue): Json {
  return structuredClone(value) as Json
}

/** Empty means all. */
async function namedKeys(request: JsonObject): Promise<ReadonlySet<ConfigKey>> {
  const found = await Promise.all((stringsField(request, 'keys') ?? []).map(settingNamed))
  return new Set(found.map(({ key }) => key))
}

/** Reports changed values. An invalid version is reported once, and the last valid one stays in effect. */
async function watch(request: JsonObject, { runtime, signal, send }: FollowHost): Promise<void> {
  const { loadConfig, projectConfigFile } = await import('../../../platform/config/load-config.ts')
  const { readSetting, settings } = await schema()
  const wanted = await namedKeys(request)
  const { paths, project, trust } = runtime
  const files = [
    watchFiles('user', [paths.configFile], trust.isTrusted),
    watchFiles('project', [projectConfigFile(project)], trust.isTrusted),
  ]
  const say = (event: JsonObject): unknown =>
    send(mapStrings(event, (text) => runtime.scrub(text, 'door')) as JsonObject)
  let known: Pick<LoadedConfig, 'config' | 'sources'> = { config: runtime.config, sources: new Map() }
  let problem: string | undefined

  const read = (): LoadedConfig | undefined => {
    for (const file of files) file.read()
    try {
      const loaded = loadConfig({ userFile: paths.configFile, project, isTrusted: trust.isTrusted })
      problem = undefined
      return loaded
    } catch (error) {
      const why = error instanceof CodedError ? error.message : String(error)
      if (why !== problem) say({ changes: [], problem: why })
      problem = why
      return undefined
    }
  }
  const look = (): void => {
    // Every file must be checked, so no short-circuit.
    const news = files.map((file) => file.hasChanged())
    const loaded = news.includes(true) ? read() : undefined
    if (loaded === undefined) return
    const changes = [...settings().values()].flatMap(({ key }) => {
      const [before, value] = [readSetting(known.config, key), readSetting(loaded.config, key)]
      const isTold = wanted.size === 0 || wanted.has(key)
      if (!isTold || JSON.stringify(before) === JSON.stringify(value)) return []
      const source = loaded.sources.get(key) ?? 'default'
      return [{ key, value: plain(value), before: plain(before), source }]
    })
    known = loaded
    if (changes.length > 0) say({ changes })
  }

  known = read() ?? known
  const stopLooking = pollRegularly(look)
  try {
    if (!signal.aborted) await once(signal, 'abort')
  } finally {
    stopLooking()
  }
}
