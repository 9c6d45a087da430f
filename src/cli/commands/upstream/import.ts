import { realpathSync } from 'node:fs'

import { ContextdError } from '../../../core/errors/errors.ts'
import { homeFolder } from '@contextd/shared/files/home-folder'
import { requireOperator } from '@contextd/shared/operator'
import { resolvePaths } from '../../../platform/files/paths.ts'
import type { ImportClient } from '../../../tools/upstream/servers/client-formats.ts'
import { discoverServers } from '../../../tools/upstream/servers/discover-servers.ts'
import { addServer } from '../../../tools/upstream/servers/edit-servers.ts'
import {
  findServers,
  importPlaces,
  type FoundServers,
  type ImportableServer,
} from '../../../tools/upstream/servers/import-servers.ts'
import { hideSecrets } from '../../../tools/upstream/servers/literal-secrets.ts'
import { note, printJson, printLine, type CliIo, type JsonOption } from '@contextd/shared/cli/output'
import { counted } from '@contextd/shared/text/counted'
import { withRecords } from '../../support/with-runtime.ts'
import { describeServerEntry } from './add.ts'
import { survey } from './list.ts'
import { noteSecrets, secretTest } from './secrets.ts'
import { readServersText, writeServersText, type ServersText } from './servers-text.ts'
import { sayWhoMay, whoMay } from './who-may.ts'

export interface ImportServersOptions extends JsonOption {
  readonly from?: ImportClient
  readonly project?: true
}

export async function importUpstream(
  names: readonly string[],
  options: ImportServersOptions,
  io: CliIo,
): Promise<void> {
  const { json, project } = options
  const files = discoverServers(io.env, resolvePaths(io.env), io.cwd)
  const [file = ''] = project ? files.project : files.user
  const before = readServersText(file, project ? 'project' : 'user')
  const found = await find(names, options, file, io)
  const { servers, left, unreadable } = found
  if (!json) noteSkipped(found, io)

  const looksSecret = await secretTest(io)
  const hidden = servers.map(({ name, entry }) => hideSecrets(name, entry, looksSecret))
  const secrets = hidden.flatMap((server) => server.secrets)
  const shown = servers.flatMap(({ name, path }, index) =>
    describeServerEntry(name, hidden[index]?.shown ?? {}, path),
  )
  const counts = servers.length === 0 || (await write(before, servers, shown, io))
  const allowed = await whoMay(
    servers.map(({ name }) => name),
    io,
  )
  if (json) {
    const added = servers.map(({ name, client, path, notes }) => ({ name, client, from: path, notes }))
    return printJson({ file, counts, added, secrets, left, unreadable, ...allowed }, io)
  }
  if (servers.length === 0) return printLine('Nothing to import.', io)
  printLine(`Added: ${servers.map(({ name }) => name).join(', ')}, in ${file}`, io)
  if (!counts) note(`${file} is ignored until you review it and run \`ctxd trust\``, io)
  for (const { name, notes } of servers) for (const text of notes) note(`${name}: ${text}`, io)
  noteSecrets(secrets, file, io)
  sayWhoMay(allowed, io)
  note('your clients still bypass contextd for these servers: remove them there (`claude mcp remove …`)', io)
}

async function write(
  before: ServersText,
  servers: readonly ImportableServer[],
  shown: readonly string[],
  io: CliIo,
): Promise<boolean> {
  const { path: file } = before
  const text = servers.reduce<string | undefined>(
    (text, { name, entry }) => addServer(text, name, entry, before),
    before.text,
  )
  await requireOperator({
    ...io,
    details: [`In ${file}:`, ...shown],
    question: `Add ${counted(servers.length, 'server')}`,
  })
  return withRecords(io, (records) => {
    records.event('upstream-imported', { servers: servers.map(({ name }) => name), file })
    return writeServersText(before, text ?? '', records)
  })
}

async function find(
  names: readonly string[],
  { from, project }: ImportServersOptions,
  file: string,
  io: CliIo,
): Promise<FoundServers> {
  const there = await withRecords(io, (records) => survey(records, io))
  const taken = there.servers
    .filter(({ server, state }) => state !== 'not trusted' || server.file === file)
    .map(({ server }) => server.name)
  const home = io.env.HOME || homeFolder()
  const folder = realpathSync(io.cwd)
  const places = importPlaces(
    { home, project: folder, platform: process.platform },
    project ? 'project' : 'user',
  ).filter(({ client }) => from === undefined || client === from)
  const found = findServers(places, folder, taken)
  const isWanted = ({ name }: { name: string }): boolean => names.length === 0 || names.includes(name)
  const all = [...found.servers, ...found.left]
  const unknown = names.find((name) => !all.some((server) => server.name === name))
  if (unknown !== undefined) {
    throw new ContextdError('NOT_FOUND', {
      what: `server ${unknown} in ${places.map(({ path }) => path).join(', ')}`,
      name: unknown,
    })
  }
  return { ...found, servers: found.servers.filter(isWanted), left: found.left.filter(isWanted) }
}

function noteSkipped({ left, unreadable }: FoundServers, io: CliIo): void {
  for (const { path, why } of unreadable) note(`${path} ${why}`, io)
  for (const { name, path, why } of left) note(`skipped ${name} in ${path}: ${why}`, io)
}
