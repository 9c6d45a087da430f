/** Handles a client's hook: in the daemon, or in the process of `contextd hook` if no daemon is running. */

import { randomUUID } from 'node:crypto'
import { realpathSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'

import {
  hookCaller,
  readPayload,
  type Hook,
  type HookOutput,
  type HookPayload,
  type HookPorts,
  type HookSession,
} from '../../clients/claude-code/hooks/hook.ts'
import type { Runtime } from '../../compose.ts'
import { LOCAL_TENANT } from '../../core/call.ts'
import type { CheckFor, Checked } from '../../core/checks.ts'
import { ContextdError } from '../../core/errors/errors.ts'
import type { Json, JsonObject } from '@contextd/shared/json/value'
import type { Config } from '../../platform/config/config-schema.ts'
import { followConfig } from '../../platform/config/follow-config.ts'
import { homeFolder } from '@contextd/shared/files/home-folder'
import { ownFoldersIn, type Paths } from '../../platform/files/paths.ts'
import { ensurePrivateFolder } from '@contextd/shared/files/private-folder'
import { createSessions } from '../../platform/sessions.ts'
import { readMapFile } from '../../tools/broker/map-file.ts'
import { localDoor } from '../local/local-door.ts'

/** Every hook by its command-line name. Loaded when called: each runs in a process that the client waits for. */
const hooks = {
  'block-builtin': async (payload, ports) =>
    (await import('../../clients/claude-code/hooks/block-builtin.ts')).blockBuiltin(payload, ports),
  protect: async (payload, ports) =>
    (await import('../../clients/claude-code/hooks/protect.ts')).protect(payload, ports),
  'pre-compact': async (payload, ports) =>
    (await import('../../clients/claude-code/hooks/pre-compact.ts')).preCompact(payload, ports),
  'session-start': async (payload, ports) =>
    (await import('../../clients/claude-code/hooks/session-start.ts')).sessionStart(payload, ports),
  scrub: async (payload, ports) =>
    (await import('../../clients/claude-code/hooks/scrub.ts')).scrub(payload, ports),
  // Not for a client event, but for output of the client's shell.
  'scrub-text': async (payload, ports) =>
    (await import('../../clients/claude-code/hooks/scrub-text.ts')).scrubText(payload, ports),
} as const satisfies Record<string, Hook>

function isHookName(name: string): name is keyof typeof hooks {
  return Object.hasOwn(hooks, name)
}

/** The process that answers a hook. */
export interface HookHost {
  readonly paths: Paths
  /** The environment that the client gave the hook. */
  readonly env: NodeJS.ProcessEnv
  /** The command line that runs contextd. */
  readonly program: readonly string[]
  /** Whether the hook was installed with `--door`. */
  readonly expectsDoor?: boolean
  /** The user's current configuration, which may change while a daemon runs. Throws if it cannot be read. */
  settings(): Pick<Config, 'client' | 'http'>
  /** Called at most once, and only by hooks that need the store. */
  open(project: string): Promise<HookRuntime>
}

export type HookRuntime = Pick<
  Runtime,
  'store' | 'audit' | 'privacy' | 'scrubbed' | 'valuesOf' | 'check' | 'config' | 'previewDecision' | 'memory'
>

/**
 * The answer of the first hook that has one; names are separated by spaces. Undefined lets the call continue. Throws
 * if no decision is possible; the caller must then block the call.
 */
export async function answerHook(
  host: HookHost,
  name: string,
  payload: string,
): Promise<HookOutput | undefined> {
  const names = name.split(' ')
  if (!names.every(isHookName))
    throw new ContextdError('NOT_FOUND', {
      // A name that is none may be anything, so it is not repeated.
      what: 'hook named in this command',
      hint: '`ctxd hook --help` lists the names.',
    })
  const known = readPayload(payload)
  const project = projectOf(known, host.env)
  let opened: Promise<OpenSession> | undefined
  const open = (): Promise<OpenSession> =>
    (opened ??= host.open(project).then((runtime) => joined(runtime, known, project)))
  const ports: HookPorts = {
    get mode() {
      return host.settings().client.mode
    },
    get allowProtected() {
      return host.settings().client.allow_protected
    },
    door: {
      isExpected: host.expectsDoor === true,
      open: async () => localDoor((await open()).runtime.store, host.settings().http),
      async startDaemon() {
        const { ensureDaemon } = await import('../local/autostart.ts')
        await ensureDaemon(process.env, project)
      },
      isFirst: (hint) => isFirst(host.paths, hint),
    },
    ownFolders: ownFoldersIn(host.paths),
    privateFiles: () => privateFiles(host),
    program: host.program,
    // Programs use the default home if HOME is not set.
    env: { ...host.env, HOME: host.env.HOME || homeFolder() },
    session: async () => sessionOf(await open()),
    async memory() {
      const { hookMemory } = await import('./hook-memory.ts')
      return hookMemory(await open())
    },
  }
  for (const one of names) {
    const output = await hooks[one](known, ports)
    if (output !== undefined) return output
  }
  return undefined
}

/** The method `hook` of the control socket. */
export function hookMethod(runtime: Runtime): (request: JsonObject) => Promise<Json> {
  const settings = followConfig(runtime.paths.configFile, runtime.config)
  return async ({ name, payload, env, program, door }) => {
    if (typeof name !== 'string' || typeof payload !== 'string' || !isTexts(env) || !isTexts(program)) {
      throw new ContextdError('INVALID_REQUEST', { what: 'expected a name, a payload, env and program' })
    }
    const host: HookHost = {
      paths: runtime.paths,
      env: env as Record<string, string>,
      program: program as string[],
      expectsDoor: door === true,
      settings,
      open: async () => runtime,
    }
    return { output: (await answerHook(host, name, payload)) ?? null }
  }
}

function isTexts(value: Json | undefined): value is string[] | Record<string, string> {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).every((one) => typeof one === 'string')
  )
}

/** Creates a marker file, so a hint is shown once; if that fails, never. */
function isFirst({ state }: Paths, hint: string): boolean {
  try {
    ensurePrivateFolder(state)
    writeFileSync(join(state, `${hint}.said`), '', { flag: 'wx', mode: 0o600 })
    return true
  } catch {
    return false
  }
}

/** A map that is missing or belongs to another user names none of our files. */
async function privateFiles({ paths, env }: HookHost): Promise<string[]> {
  const home = env.HOME || homeFolder()
  try {
    const { entries, problems, text } = await readMapFile(paths.contextMap, home)
    return problems.length === 0 ? entries.map(({ file }) => file) : filesNamedIn(text, paths.config, home)
  } catch {
    return []
  }
}

/** In a map with an error no entry applies, but the files it names are still private. */
function filesNamedIn(text: string, folder: string, home: string): string[] {
  const resolveFrom = (from: string, path: string): string => resolve(from, path.replace(/^~(?=\/)/, home))
  const base = resolveFrom(folder, /^[ \t]*base[ \t]*=[ \t]*["']([^"'\n]+)/m.exec(text)?.[1] ?? '.')
  return [...text.matchAll(/["']([^"'\n]+\.md)["']/gi)].map(([, path = '']) => resolveFrom(base, path))
}

/** The project by its real path, as our MCP server of the same client knows it. */
function projectOf({ cwd }: HookPayload, env: NodeJS.ProcessEnv): string {
  const folder = env.CLAUDE_PROJECT_DIR || cwd
  try {
    return realpathSync(folder)
  } catch {
    return folder
  }
}

/** Our session for the client's session. */
export interface OpenSession {
  readonly runtime: HookRuntime
  readonly payload: HookPayload
  readonly project: string
  readonly session: string
}

function joined(runtime: HookRuntime, payload: HookPayload, project: string): OpenSession {
  const name = payload.client === 'opencode' ? 'opencode' : 'claude-code'
  const client = { name, version: '', door: 'stdio' } as const
  const sessions = createSessions(runtime.store, { tenant: LOCAL_TENANT, project }, Date.now, randomUUID)
  return { runtime, payload, project, session: sessions.join(client, payload.session_id) }
}

/** Characters of small texts that are checked before yielding. */
const maxInOneTurn = 65_536

/** An answer may consist of many small texts. */
function turns(): (length: number) => Promise<void> {
  let done = 0
  return async (length) => {
    done += length
    if (done < maxInOneTurn) return
    done = 0
    await nextTurn()
  }
}

function sessionOf({ runtime, payload, project, session }: OpenSession): HookSession {
  const { audit, privacy, check } = runtime
  const agent = hookCaller(payload)
  const whose: CheckFor = { tenant: LOCAL_TENANT, session, reader: agent }
  const takeTurns = turns()
  return {
    async clean(text, options = {}) {
      await takeTurns(text.length)
      return check({ kind: 'text', value: text, ...options }, whose)
    },
    async mask(text) {
      await takeTurns(text.length)
      return (await check({ kind: 'record', value: text, secrets: false }, whose)) as Checked<string>
    },
    valuesOf: (tokens) => runtime.valuesOf(session, tokens),
    holders: () => privacy.holders(session),
    event: (name, details) => audit.event(name, details, { project, session, agent }),
  }
}
