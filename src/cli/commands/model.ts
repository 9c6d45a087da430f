/** `ctxd model`: the model door, its providers, and the keys that open it. */

import type { Command } from 'commander'

import { doorObstacle, doorUrl } from '../../clients/model-door/door-url.ts'
import { doorProviders } from '../../clients/model-door/providers.ts'
import type { Records } from '../../compose.ts'
import { ContextdError } from '../../core/errors/errors.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import type { Config } from '../../platform/config/config-schema.ts'
import { loadConfig } from '../../platform/config/load-config.ts'
import type { ModelKey } from '../../platform/secrets/model-keys.ts'
import { refuseInsideAgent } from '@contextd/shared/operator'
import { resolvePaths } from '../../platform/files/paths.ts'
import { daemonStatus } from '../../servers/local/running-daemon.ts'
import { ensureClientKey } from '../support/client-key.ts'
import {
  minuteOf,
  newCommand,
  newGroup,
  printJson,
  printLine,
  printTable,
  processIo,
  type CliIo,
  type JsonOption,
} from '@contextd/shared/cli/output'
import { withRecords } from '../support/with-runtime.ts'

interface UrlOptions extends JsonOption {
  readonly provider: string
}

export function modelCommand(io: CliIo = processIo()): Command {
  return newGroup('model', 'the model door: its address, providers and keys', 'ctxd model')
    .addCommand(
      newCommand(
        'status',
        'print the address, the providers and the keys (the default)',
        'ctxd model status',
      ).action((options: JsonOption) => show(options, io)),
      { isDefault: true },
    )
    .addCommand(
      newCommand(
        'url',
        "print a client's base URL; creates its key if needed",
        'ctxd model url codex --provider openai',
      )
        .argument('<client>', 'a name for the client, such as codex')
        .option('--provider <name>', 'anthropic, openai, gemini or one of [model.providers]', 'anthropic')
        .action((client: string, options: UrlOptions) => url(client, options, io)),
    )
    .addCommand(
      newCommand('revoke', 'revoke a key', 'ctxd model revoke Zx1_kQ9aB2c')
        .argument('<id>', 'ID shown by `ctxd model`')
        .action((id: string, options: JsonOption) => revoke(id, options, io)),
    )
}

async function show({ json }: JsonOption, io: CliIo): Promise<void> {
  const { config, port, isRunning } = await findDoor(io)
  const problem = doorObstacle({ ...config.http, port })
  const address = `http://127.0.0.1:${port}/model/`
  const providers = doorProviders(config.model)
  const keys = await withRecords(io, ({ modelKeys }) => modelKeys.list().map(toJson))
  if (json)
    return printJson({ address, running: isRunning, ...(problem && { problem }), providers, keys }, io)
  printLine(problem ?? `${address}<key>/<provider>${isRunning ? '' : ' (the daemon is not running)'}`, io)
  printLine('', io)
  printTable(
    ['PROVIDER', 'API', 'ADDRESS'],
    providers.map(({ name, api, url: target }) => [name, api, target]),
    io,
  )
  printLine('', io)
  if (keys.length === 0) return printLine('No keys. `ctxd init` or `ctxd model url` creates one.', io)
  const rows = keys.map((key) => [
    key.id,
    key.client,
    minuteOf(key.created_at),
    minuteOf(key.used_at ?? ''),
    minuteOf(key.revoked_at ?? ''),
  ])
  printTable(['KEY', 'CLIENT', 'CREATED', 'LAST USED', 'REVOKED'], rows, io)
}

async function url(client: string, { provider, json }: UrlOptions, io: CliIo): Promise<void> {
  refuseInsideAgent(io.env)
  const { config, port } = await findDoor(io)
  const problem = doorObstacle({ ...config.http, port })
  if (problem !== undefined) throw new ContextdError('CONFIG_INVALID', { problem })
  if (!doorProviders(config.model).some(({ name }) => name === provider)) {
    throw new ContextdError('MODEL_PROVIDER_UNKNOWN', { provider })
  }
  const key = await ensureClientKey(client, io)
  const address = doorUrl({ port, key, provider })
  if (json) printJson({ client, provider, url: address }, io)
  else printLine(address, io)
}

function revoke(id: string, { json }: JsonOption, io: CliIo): Promise<void> {
  refuseInsideAgent(io.env)
  return withRecords(io, (records) => {
    const answered = revokeKey(records, id)
    if (json) printJson(answered, io)
    else printLine('Revoked.', io)
  })
}

function revokeKey({ modelKeys, event }: Records, id: string): JsonObject {
  if (!modelKeys.revoke(id)) {
    throw new ContextdError('NOT_FOUND', {
      what: `live key ${id}`,
      hint: '`ctxd model` shows the IDs.',
    })
  }
  event('model-key-revoked', { id })
  return { id, revoked: true }
}

interface Door {
  readonly config: Config
  /** From the daemon if it runs, else from the configuration. */
  readonly port: number
  readonly isRunning: boolean
}

async function findDoor({ env }: CliIo): Promise<Door> {
  const paths = resolvePaths(env)
  const { config } = loadConfig({ userFile: paths.configFile, isTrusted: () => false })
  const running = await daemonStatus(paths)
  const port = running === undefined ? config.http.port : Number(new URL(running.mcp).port)
  return { config, port, isRunning: running !== undefined }
}

function toJson({ id, client, createdAt, usedAt, revokedAt }: ModelKey) {
  const date = (time: number): string => new Date(time).toISOString()
  return {
    id,
    client,
    created_at: date(createdAt),
    ...(usedAt !== undefined && { used_at: date(usedAt) }),
    ...(revokedAt !== undefined && { revoked_at: date(revokedAt) }),
  }
}
