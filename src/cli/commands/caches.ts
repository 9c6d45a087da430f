/** `ctxd caches`: what the commands of agents keep in the sandbox. */

import { realpathSync } from 'node:fs'
import { resolve } from 'node:path'

import { Option, type Command } from 'commander'

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
import { counted } from '@contextd/shared/text/counted'
import { openConfiguredSandbox } from '../../compose/sandbox.ts'
import { cacheKinds, type CacheKind } from '../../core/capability.ts'
import { resolvePaths } from '../../platform/files/paths.ts'
import { cachesIn, listCaches, type StoredCache } from '../../tools/shell/caches/cache-store.ts'
import { removeCaches, measureCache } from '../../tools/shell/caches/remove-cache.ts'

interface ClearOptions extends JsonOption {
  readonly kind?: CacheKind
  readonly agent?: string
  readonly project?: string
}

export function cachesCommand(io: CliIo = processIo()): Command {
  return newGroup('caches', 'list and clear caches of sandboxed commands', 'ctxd caches list')
    .addCommand(
      newCommand('list', 'list caches with their size', 'ctxd caches list').action(({ json }: JsonOption) =>
        list(json === true, io),
      ),
    )
    .addCommand(
      newCommand('clear', 'delete caches that no command uses', 'ctxd caches clear --kind npm')
        .addOption(new Option('--kind <kind>', 'only of this program').choices(cacheKinds))
        .option('--agent <name>', 'only of this agent')
        .option('--project <folder>', 'only of this project')
        .action((options: ClearOptions) => clear(options, io)),
    )
}

async function list(json: boolean, io: CliIo): Promise<void> {
  const { signal } = new AbortController()
  const { maxCacheBytes } = openConfiguredSandbox(io.env)
  const caches: (StoredCache & { bytes: number; files: number })[] = []
  for (const cache of listCaches(rootIn(io)).toReversed())
    caches.push({ ...cache, ...(await measureCache(cache, signal)) })
  const bytes = caches.reduce((sum, cache) => sum + cache.bytes, 0)
  if (json) return printJson({ caches: caches.map(toJson), bytes, max_bytes: maxCacheBytes }, io)
  if (caches.length === 0) return printLine('No caches. Agents keep them if the rules grant shell:cache.', io)
  const rows = caches.map(({ kind, agent, project, usedAt, isInUse, ...size }) => [
    kind,
    agent,
    project,
    megabytes(size.bytes),
    counted(size.files, 'file'),
    isInUse ? 'now' : minuteOf(new Date(usedAt).toISOString()),
  ])
  printTable(['KIND', 'AGENT', 'PROJECT', 'SIZE', 'FILES', 'USED'], rows, io)
  printLine(`${megabytes(bytes)} of ${megabytes(maxCacheBytes)} (sandbox.caches_mb)`, io)
}

async function clear({ json, ...wanted }: ClearOptions, io: CliIo): Promise<void> {
  const root = rootIn(io)
  const { sandbox, limits } = openConfiguredSandbox(io.env)
  try {
    const chosen = listCaches(root).filter((cache) => isWanted(cache, wanted, io))
    const { removed, left } = await removeCaches(chosen, { root, sandbox, limits })
    if (json === true) return printJson({ removed: removed.map(nameOf), left: left.map(nameOf) }, io)
    printLine(`Removed ${counted(removed.length, 'cache')}.`, io)
    if (left.length > 0) printLine(`Not removed: ${counted(left.length, 'cache')} that a command uses.`, io)
  } finally {
    await sandbox.close()
  }
}

function rootIn({ env }: CliIo): string {
  return cachesIn(resolvePaths(env))
}

function isWanted(
  cache: StoredCache,
  { kind, agent, project }: Omit<ClearOptions, 'json'>,
  { cwd }: CliIo,
): boolean {
  return (
    (kind === undefined || cache.kind === kind) &&
    // An agent has one for each way it is identified: `main (declared)`.
    (agent === undefined || cache.agent === agent || cache.agent.startsWith(`${agent} (`)) &&
    (project === undefined || cache.project === folderAt(resolve(cwd, project)))
  )
}

/** A project that was deleted has caches too. */
function folderAt(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

function nameOf({ kind, agent, project }: StoredCache) {
  return { kind, agent, project }
}

function toJson(cache: StoredCache & { bytes: number; files: number }) {
  const { bytes, files, usedAt, isInUse } = cache
  return { ...nameOf(cache), bytes, files, used_at: new Date(usedAt).toISOString(), in_use: isInUse }
}

function megabytes(bytes: number): string {
  return `${Math.ceil(bytes / 2 ** 20).toLocaleString('en')} MB`
}
