import { resolve } from 'node:path'

import { ContextdError } from '../../../core/errors/errors.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import { requireOperator } from '@contextd/shared/operator'
import { resolvePaths } from '../../../platform/files/paths.ts'
import { discoverServers } from '../../../tools/upstream/servers/discover-servers.ts'
import { addServer } from '../../../tools/upstream/servers/edit-servers.ts'
import { hideSecrets } from '../../../tools/upstream/servers/literal-secrets.ts'
import { note, printJson, printLine, type CliIo, type JsonOption } from '@contextd/shared/cli/output'
import { withRecords } from '../../support/with-runtime.ts'
import { noteSecrets, secretTest } from './secrets.ts'
import { readServersText, writeServersText } from './servers-text.ts'
import { sayWhoMay, whoMay } from './who-may.ts'

export interface AddServerOptions extends JsonOption {
  readonly url?: string
  readonly description?: string
  readonly env: readonly [string, string][]
  readonly header: readonly [string, string][]
  readonly transport?: string
  readonly cwd?: string
  readonly sandbox: readonly string[]
  readonly stateless?: true
  readonly transparent?: true
  readonly project?: true
}

export async function addUpstream(
  name: string,
  command: readonly string[],
  options: AddServerOptions,
  io: CliIo,
): Promise<void> {
  const { json, project } = options
  const entry = entryOf(command, options, io)
  const files = discoverServers(io.env, resolvePaths(io.env), io.cwd)
  const [file = ''] = project ? files.project : files.user
  const before = readServersText(file, project ? 'project' : 'user')
  const text = addServer(before.text, name, entry, before)
  const { shown, secrets } = hideSecrets(name, entry, await secretTest(io))
  await requireOperator({
    ...io,
    details: [`In ${file}:`, ...describeServerEntry(name, shown)],
    question: `Add the server ${name}`,
  })
  const counts = await withRecords(io, (records) => {
    records.event('upstream-added', { server: name, file })
    return writeServersText(before, text, records)
  })
  const allowed = await whoMay([name], io)
  if (json) return printJson({ added: name, file, counts, secrets, ...allowed }, io)
  printLine(`Added: ${name}, in ${file}`, io)
  if (!counts) note(`${file} is ignored until you review it and run \`ctxd trust\``, io)
  noteSecrets(secrets, file, io)
  sayWhoMay(allowed, io)
}

/** The entry as it will appear in the file, line by line. */
export function describeServerEntry(name: string, shown: JsonObject, from?: string): string[] {
  const origin = from === undefined ? '' : `from ${from}\n`
  const lines = `${origin}${JSON.stringify(name)}: ${JSON.stringify(shown, null, 2)}`.split('\n')
  return lines.map((line) => `  ${line}`)
}

function entryOf(command: readonly string[], options: AddServerOptions, io: CliIo): JsonObject {
  const { url, description, env, header, transport, cwd, sandbox, stateless, transparent, project } = options
  const [program, ...args] = command
  if ((program === undefined) === (url === undefined)) {
    throw new ContextdError('USAGE', { problem: 'give either --url, or a command after `--`' })
  }
  const misplaced =
    program === undefined
      ? (env.length > 0 && '--env') || (cwd !== undefined && '--cwd') || (sandbox.length > 0 && '--sandbox')
      : (header.length > 0 && '--header') || (transport !== undefined && '--transport')
  if (misplaced) {
    const kind = program === undefined ? 'a URL' : 'a command'
    throw new ContextdError('USAGE', { problem: `${misplaced} does not apply to ${kind}` })
  }
  return {
    ...(description !== undefined && { description }),
    ...(program !== undefined && { command: program }),
    ...(args.length > 0 && { args }),
    ...(env.length > 0 && { env: Object.fromEntries(env) }),
    // A project may move: in its file the path stays as given.
    ...(cwd !== undefined && { cwd: project ? cwd : resolve(io.cwd, cwd) }),
    ...(sandbox.length > 0 && { sandbox: { capabilities: [...sandbox] } }),
    ...(url !== undefined && { url }),
    ...(transport !== undefined && { type: transport }),
    ...(header.length > 0 && { headers: Object.fromEntries(header) }),
    ...(stateless && { stateless }),
    ...(transparent && { transparent }),
  }
}
