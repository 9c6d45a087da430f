/** Our own tools and user-made tools, with their dependencies. */

import { join } from 'node:path'

import type { Call } from '../core/call.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import type { Clock, CountTokens, PrivateContext, ToolHost } from '../core/ports.ts'
import type { Tool } from '../core/tool.ts'
import { homeFolder } from '@contextd/shared/files/home-folder'
import { loadOrCreateKey } from '../platform/secrets/keys.ts'
import type { Config } from '../platform/config/config-schema.ts'
import type { Paths } from '../platform/files/paths.ts'
import type { Log } from '../platform/log.ts'
import type { Store } from '../platform/storage/store.ts'
import { openToolchains } from '../platform/toolchains.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import { createLoadContext } from '../tools/broker/load-context.ts'
import { builtinTools, isBuiltin } from '../tools/builtin/registry.ts'
import { createPdfReader } from '../tools/files/read/pdf.ts'
import { processExecutor } from '../tools/plugins/process-executor.ts'
import { openUserTools, type UserTools } from '../tools/plugins/user-tools.ts'
import { createGitIdentity } from '../tools/repositories/git-identity.ts'
import { createFileSearch } from '../tools/search/file-search.ts'
import { findRipgrep } from '../tools/search/ripgrep-program.ts'
import { guardRepositories } from '../tools/repositories/guarded-sandbox.ts'
import {
  createBackgroundCommands,
  type BackgroundCommands,
} from '../tools/shell/background/background-commands.ts'
import { cachesIn } from '../tools/shell/caches/cache-store.ts'
import { createCommandCaches, type CommandCaches } from '../tools/shell/caches/command-caches.ts'
import { createShell } from '../tools/shell/shell.ts'
import type { StartConfined } from '../tools/upstream/stdio/confined-process.ts'
import type { OpenFiles } from './files.ts'
import type { RevealedSecrets } from './revealing.ts'
import { maxCacheBytesIn, openSandbox, sandboxEnv, sandboxLimits } from './sandbox.ts'
import { openWeb } from './web.ts'

export interface ToolParts extends OpenFiles {
  readonly config: Config
  readonly paths: Paths
  readonly project: string
  readonly env: NodeJS.ProcessEnv
  readonly store: Store
  readonly tenant: string
  readonly clock: Clock
  readonly log: Log
  readonly count: CountTokens
  readonly privacy: Pick<PrivateContext, 'remember'>
  readonly given: Pick<RevealedSecrets, 'isIn'>
  /** Our own memory tools. */
  readonly memory: readonly Tool[]
  /** Whether a tool passed in at startup has this name. */
  readonly isExtra: (name: string) => boolean
  /** Why the rules no longer allow a call as it was made; undefined if they do. */
  readonly refusedBecause: (call: Call) => string | undefined
  /** `call` is absent if an MCP server acts on its own. */
  readonly onEvent: (name: string, details: JsonObject, call?: Call) => void
}

export interface OpenTools {
  readonly builtin: readonly Tool[]
  readonly user: UserTools
  readonly sandbox: Sandbox
  readonly commands: BackgroundCommands
  /** Starts an MCP server inside the sandbox, with the grants it declares. */
  startConfined(server: string): Promise<StartConfined>
  /** For the tool host of a call; undefined if the call has no host granted. */
  fetchFor(call: Call): ToolHost['fetch']
  close(): Promise<void>
}

export function openTools(parts: ToolParts): OpenTools {
  const { config, paths, env, clock, files, ownFolders, protect, isExtra } = parts
  const limits = sandboxLimits(config)
  const toolchains = openToolchains(config.sandbox.readable)
  const opened = openSandbox(config, paths)
  const sandbox =
    config.sandbox.mode === 'off' ? opened : guardRepositories(opened, parts.repositories, parts.guardReport)

  const web = openWeb(parts)
  const caches = openCaches(parts, opened)
  const shell = createShell({
    sandbox,
    limits,
    env: sandboxEnv(config, env),
    gitIdentity: createGitIdentity(env, clock),
    toolchains,
    ownFolders,
    protect,
    caches,
    openBridge: web.openBridge,
  })
  const commands = createBackgroundCommands({
    folder: paths.commands,
    clock,
    refusedBecause: parts.refusedBecause,
    onEnded: (call, id, state) =>
      parts.onEvent(
        'background-ended',
        {
          id,
          status: state.status,
          ...(state.status === 'stopped' && state.reason !== undefined && { reason: state.reason }),
          ...(state.status === 'exited' && {
            exit_code: state.ended.exitCode,
            limit: state.ended.limit ?? null,
          }),
        },
        call,
      ),
    onFailure: (error) =>
      parts.log('error', 'the end of a background command could not be recorded', { cause: String(error) }),
  })
  const context = createLoadContext({
    map: paths.contextMap,
    home: env.HOME ?? homeFolder(),
    stateFolder: paths.state,
    hashKey: () => loadOrCreateKey(join(paths.keys, 'context.key')),
    clock,
    remember: parts.privacy.remember,
  })
  // These write nothing, so no repository needs guarding.
  const search = createFileSearch({ sandbox: opened, limits, ownFolders, files, findProgram: findRipgrep })
  const pdf = createPdfReader({ sandbox: opened, limits })
  const builtin = builtinTools({
    shell,
    commands,
    files,
    pdf,
    search,
    egressFor: web.egressFor,
    context,
    memory: parts.memory,
  })
  const user = openUserTools({
    ...parts,
    stateFolder: paths.state,
    executor: processExecutor(sandbox),
    limits,
    toolchains,
    egressFor: web.egressFor,
    isTaken: (name) => isExtra(name) || isBuiltin(name),
    clock,
  })
  return {
    builtin,
    user,
    sandbox,
    commands,
    async startConfined(server) {
      const { confinedStarter } = await import('../tools/upstream/stdio/confined-process.ts')
      return confinedStarter({
        sandbox,
        limits,
        toolchains,
        ownFolders,
        protect,
        openBridge: (grants) => web.openServerBridge(server, grants),
      })
    },
    fetchFor: web.fetchFor,
    async close() {
      await commands.close()
      await caches?.close()
      await sandbox.close()
    },
  }
}

function openCaches({ config, paths, log }: ToolParts, sandbox: Sandbox): CommandCaches | undefined {
  if (config.sandbox.mode === 'off') return undefined
  return createCommandCaches({
    root: cachesIn(paths),
    sandbox,
    limits: sandboxLimits(config),
    maxBytes: maxCacheBytesIn(config),
    onRemoved: ({ kind, agent, project }) =>
      log('info', 'a cache of commands was removed, because all caches exceed sandbox.caches_mb', {
        kind,
        agent,
        project,
      }),
    onFailure: (error) =>
      log('error', 'the size of the caches of commands could not be limited', { cause: String(error) }),
  })
}
