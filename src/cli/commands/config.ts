/** `ctxd config`: read and change the configuration. */

import { existsSync } from 'node:fs'
import type { Command } from 'commander'

import { LOCAL_TENANT } from '../../core/call.ts'
import { isJsonObject, type Json, type JsonObject } from '@contextd/shared/json/value'
import type { LoadedConfig } from '../../platform/config/load-config.ts'
import { requireOperator } from '@contextd/shared/operator'
import { resolvePaths, type Paths } from '../../platform/files/paths.ts'
import type { ConfigSettingJson, IgnoredFileJson } from '../../servers/control/gen/contextd/v1/config_pb.ts'
import { describeAll, describeKey, editOf, settingNamed } from '../../servers/control/operations/config.ts'
import { requestOf } from '../support/request-of.ts'
import {
  newCommand,
  newGroup,
  note,
  printJson,
  printLine,
  printTable,
  processIo,
  type CliIo,
} from '@contextd/shared/cli/output'
import { withRecords } from '../support/with-runtime.ts'

/** Read at every use, also by a running daemon. */
const readAtEveryUse = new Set([
  'client.mode',
  'client.allow_protected',
  'control.autostart',
  'model.anthropic',
  'model.openai',
  'model.gemini',
])

interface Options {
  readonly json?: true
}

export function configCommand(io: CliIo = processIo()): Command {
  return newGroup('config', 'read and change the configuration', 'ctxd config list')
    .addCommand(
      newCommand('get', 'print the value of one key', 'ctxd config get http.port')
        .argument('<key>', 'such as http.port')
        .action((key: string, options: Options) => get(key, options, io)),
    )
    .addCommand(
      newCommand('set', 'change one key of the user configuration', 'ctxd config set http.port 8080')
        .argument('<key>', 'such as http.port')
        .argument('<value>', 'the new value; lists as a,b,c')
        .action((key: string, value: string, options: Options) => set(key, value, options, io)),
    )
    .addCommand(
      newCommand('list', 'print every key with its value and source', 'ctxd config list').action(
        (options: Options) => list(options, io),
      ),
    )
    .addCommand(
      newCommand('path', 'print the path of the user configuration', 'ctxd config path').action(
        (options: Options) => {
          const path = resolvePaths(io.env).configFile
          if (options.json) printJson({ path }, io)
          else printLine(path, io)
        },
      ),
    )
}

/** From the file, even if a daemon runs: the file is authoritative, and no socket delays the answer. */
async function get(key: string, { json }: Options, io: CliIo): Promise<void> {
  const answered = isRemote(io)
    ? await askRemote('Config/Get', { key }, io)
    : await describeKey(key, await load(io))
  const { ignored, ...settings } = answered
  if (json) printJson(settings, io)
  else printLine(format(settings.value), io)
  noteIgnored(ignored, io)
}

/** From the file too, for the same reasons. */
async function list({ json }: Options, io: CliIo): Promise<void> {
  const answered = isRemote(io) ? await askRemote('Config/List', {}, io) : await describeAll(await load(io))
  const { ignored, ...settings } = answered
  if (json) printJson(settings, io)
  else printTable(['KEY', 'VALUE', 'FROM', 'MEANING'], (settings.settings as Listed[]).map(toRow), io)
  noteIgnored(ignored, io)
}

type Listed = Required<Pick<ConfigSettingJson, 'key' | 'source' | 'description'>> & { readonly value: Json }

function isRemote({ env }: CliIo): boolean {
  return Boolean(env.CONTEXTD_ADDR)
}

/** Loaded only for remote calls, so that reading one value from the file starts faster. */
async function askRemote(rpc: string, request: JsonObject, io: CliIo): Promise<JsonObject> {
  const { withControl } = await import('../support/control.ts')
  return withControl(io, (api) => api.call(rpc, request))
}

function noteIgnored(ignored: Json | undefined, io: CliIo): void {
  const { file, why } = (ignored ?? {}) as IgnoredFileJson
  if (file !== undefined) note(`${file} ${why}`, io)
}

function toRow(setting: Listed): string[] {
  return [setting.key, format(setting.value), setting.source, setting.description]
}

async function set(key: string, typed: string, { json }: Options, io: CliIo): Promise<void> {
  const { parseSettingValue } = await import('../../platform/config/edit-config.ts')
  const file = resolvePaths(io.env).configFile
  const setting = await settingNamed(key)
  const value = parseSettingValue(setting, typed)
  // Checked first, so that the user is not asked about a change that will fail.
  const edit = isRemote(io) ? undefined : await editOf(file, key, value)
  await requireOperator({
    ...io,
    details: [`${key}: ${setting.description}`],
    question: `Set ${key} to ${JSON.stringify(value)} ${edit === undefined ? `at ${io.env.CONTEXTD_ADDR}` : `in ${file}`}`,
  })
  const { withControl } = await import('../support/control.ts')
  const answered = await withControl(
    io,
    (api) => api.call('Config/Set', requestOf({ key, value })),
    async () => {
      edit?.write()
      await noteChange(key, io)
      return requestOf({ key, value, file })
    },
  )
  if (json) printJson(answered, io)
  else
    printLine(
      `${key} is set. ${readAtEveryUse.has(key) ? 'It applies immediately.' : 'Restart contextd to use it.'}`,
      io,
    )
}

async function noteChange(key: string, io: CliIo): Promise<void> {
  try {
    await withRecords(io, ({ event }) => event('config-set', { key }))
  } catch (error) {
    note(`the change was not audited: ${(error as Error).message}`, io)
  }
}

/** Lists are printed the way `set` reads them. */
function format(value: Json | undefined): string {
  if (isJsonObject(value)) return JSON.stringify(value)
  return Array.isArray(value) ? value.map(String).join(',') : String(value)
}

async function load(io: CliIo): Promise<LoadedConfig> {
  const { loadConfig, projectConfigFile } = await import('../../platform/config/load-config.ts')
  const paths = resolvePaths(io.env)
  const files = { userFile: paths.configFile, project: io.cwd }
  // Without a store nothing is trusted, and reading the configuration must not create one.
  if (!existsSync(projectConfigFile(io.cwd)) || !existsSync(paths.database)) {
    return loadConfig({ ...files, isTrusted: () => false })
  }
  return withTrust(paths, (isTrusted) => loadConfig({ ...files, isTrusted }))
}

async function withTrust<T>(
  paths: Paths,
  work: (isTrusted: (path: string, bytes: Uint8Array) => boolean) => T,
): Promise<T> {
  const { openStore } = await import('../../platform/storage/store.ts')
  const { createTrust } = await import('../../platform/trust.ts')
  const store = openStore(paths.database)
  try {
    return work(createTrust(store, LOCAL_TENANT, Date.now).isTrusted)
  } finally {
    store.close()
  }
}
