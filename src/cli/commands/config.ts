/** `ctxd config`: read and change the configuration. */

import { existsSync } from 'node:fs'
import type { Command } from 'commander'

import { LOCAL_TENANT } from '../../core/call.ts'
import { ContextdError } from '../../core/errors.ts'
import type { ConfigValue, Setting } from '../../platform/config/config-schema.ts'
import type { LoadedConfig } from '../../platform/config/load-config.ts'
import { requireOperator } from '../../platform/operator.ts'
import { resolvePaths, type Paths } from '../../platform/paths.ts'
import { readSmallFile, replaceFile } from '../../platform/small-file.ts'
import {
  newCommand,
  newGroup,
  note,
  printJson,
  printLine,
  printTable,
  processIo,
  type CliIo,
} from '../ui/output.ts'
import { withRecords } from '../with-runtime.ts'

/** Hooks start anew for every use of a tool. */
const readAtEveryUse = new Set(['client.mode'])

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
        .argument('<value>', 'the new value; a list is written a,b,c')
        .action((key: string, value: string, options: Options) => set(key, value, options, io)),
    )
    .addCommand(
      newCommand('list', 'print every key, its value and where it comes from', 'ctxd config list').action(
        (options: Options) => list(options, io),
      ),
    )
    .addCommand(
      newCommand('path', 'print where the user configuration is', 'ctxd config path').action(
        (options: Options) => {
          const path = resolvePaths(io.env).configFile
          if (options.json) printJson({ path }, io)
          else printLine(path, io)
        },
      ),
    )
}

async function get(key: string, { json }: Options, io: CliIo): Promise<void> {
  const { readSetting } = await import('../../platform/config/config-schema.ts')
  const setting = await settingNamed(key)
  const { config, sources, ignored } = await load(io)
  const value = readSetting(config, setting.key)
  if (json) printJson({ key, value, source: sources.get(setting.key) ?? 'default' }, io)
  else printLine(format(value), io)
  if (ignored !== undefined) note(`${ignored.file} ${ignored.why}`, io)
}

async function list({ json }: Options, io: CliIo): Promise<void> {
  const { readSetting, settings } = await import('../../platform/config/config-schema.ts')
  const { config, sources, ignored } = await load(io)
  const found = Array.from(settings().values(), ({ key, default: fallback, expected, description }) => ({
    key,
    value: readSetting(config, key),
    source: sources.get(key) ?? 'default',
    default: fallback,
    expected,
    description,
  }))
  if (json) printJson({ settings: found }, io)
  else printTable(['KEY', 'VALUE', 'FROM', 'MEANING'], found.map(toRow), io)
  if (ignored !== undefined) note(`${ignored.file} ${ignored.why}`, io)
}

function toRow(setting: { key: string; value: ConfigValue; source: string; description: string }): string[] {
  return [setting.key, format(setting.value), setting.source, setting.description]
}

async function set(key: string, typed: string, { json }: Options, io: CliIo): Promise<void> {
  const { parseSettingValue, setKey } = await import('../../platform/config/edit-config.ts')
  const { decodeConfig } = await import('../../platform/config/load-config.ts')
  const file = resolvePaths(io.env).configFile
  const setting = await settingNamed(key)
  const value = parseSettingValue(setting, typed)
  const edited = (): string => {
    const read = readSmallFile(file)
    if (read.kind === 'unreadable') throw unusable(file, read.why)
    return setKey(read.kind === 'bytes' ? decodeConfig(read.bytes, file) : '', key, value, file)
  }
  // Once before, so that nobody is asked about what cannot be done, and once after: the file may have changed.
  edited()
  await requireOperator({
    ...io,
    details: [`${key}: ${setting.description}`],
    question: `Set ${key} to ${JSON.stringify(value)} in ${file}`,
  })
  try {
    replaceFile(file, edited())
  } catch (error) {
    if (error instanceof ContextdError) throw error
    throw unusable(file, `cannot be written (${(error as NodeJS.ErrnoException).code})`)
  }
  try {
    await withRecords(io, ({ event }) => event('config-set', { key }))
  } catch (error) {
    note(`the change is not in the audit record: ${(error as Error).message}`, io)
  }
  if (json) printJson({ key, value, file }, io)
  else
    printLine(
      `${key} is set. ${readAtEveryUse.has(key) ? 'It counts at once.' : 'Restart contextd to use it.'}`,
      io,
    )
}

async function settingNamed(key: string): Promise<Setting> {
  const { settings } = await import('../../platform/config/config-schema.ts')
  const { findSetting } = await import('../../platform/config/edit-config.ts')
  const inside = [...settings().keys()].filter((known) => known.startsWith(`${key}.`))
  if (inside.length === 0) return findSetting(key)
  throw new ContextdError('USAGE', { problem: `${key} is a section; its keys are ${inside.join(', ')}` })
}

function unusable(file: string, why: string): ContextdError {
  return new ContextdError('CONFIG_INVALID', {
    problem: `${file}: ${why}`,
    file,
    hint: 'Correct the permissions of the file.',
  })
}

/** A list is printed as `set` reads it. */
function format(value: ConfigValue): string {
  return typeof value === 'object' ? value.join(',') : String(value)
}

async function load(io: CliIo): Promise<LoadedConfig> {
  const { loadConfig, projectConfigFile } = await import('../../platform/config/load-config.ts')
  const paths = resolvePaths(io.env)
  const files = { userFile: paths.configFile, project: io.cwd }
  // Without a store nothing is trusted yet, and reading the configuration is no reason to make one.
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
