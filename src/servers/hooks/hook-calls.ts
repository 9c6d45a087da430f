/** Answers a hook of a client: in the daemon, or in the process of `contextd hook` where no daemon runs. */

import { randomUUID } from 'node:crypto'
import { realpathSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'

import {
  hookCaller,
  readPayload,
  type HookOutput,
  type HookPayload,
  type HookPorts,
  type HookSession,
} from '../../clients/claude-code/hooks/hook.ts'
import { hooks, isHookName } from '../../clients/claude-code/hooks/hooks.ts'
import type { Runtime } from '../../compose.ts'
import { LOCAL_TENANT } from '../../core/call.ts'
import type { CheckFor, Checked } from '../../core/checks.ts'
import { ContextdError } from '../../core/errors/errors.ts'
import type { Json, JsonObject } from '@contextd/shared/json/value'
import type { Config } from '../../platform/config/config-schema.ts'
import { followConfig } from '../../platform/config/follow-config.ts'
import { homeFolder } from '@contextd/shared/files/home-folder'
import type { Paths } from '../../platform/files/paths.ts'
import { ensurePrivateFolder } from '@contextd/shared/files/private-folder'
import { createSessions } from '../../platform/sessions.ts'
import { readMapFile } from '../../tools/broker/map-file.ts'
import { localDoor } from '../local/local-door.ts'

/** Where a hook is answered. */
export interface HookHost {
  readonly paths: Paths
  /** As the client gave it to the hook. */
  readonly env: NodeJS.ProcessEnv
  /** How to run contextd again. */
  readonly program: readonly string[]
  /** What the hook was installed with: `--door`. */
  readonly expectsDoor?: boolean
  /** The user's configuration as it is now: it may change while a daemon runs. Throws where it cannot be read. */
  settings(): Pick<Config, 'client' | 'http'>
  /** Called at most once, and only by hooks that need the store. */
  open(project: string): Promise<HookRuntime>
}

export type HookRuntime = Pick<
  Runtime,
  'store' | 'audit' | 'privacy' | 'scrubbed' | 'valuesOf' | 'check' | 'config' | 'previewDecision' | 'memory'
>

/**
 * The answer of the first of the hooks that has one; their names are separated by spaces. Undefined lets the call go on.
 * Throws where it cannot tell: whoever asked for it must then stop the call.
 */
export async function answerHook(
  place: HookHost,
  name: string,
  payload: string,
): Promise<HookOutput | undefined> {
  const names = name.split(' ')
  if (!names.every(isHookName)) throw new ContextdError('NOT_FOUND', { what: 'hook of this name' })
  const known = readPayload(payload)
  const project = projectOf(known, place.env)
  let opened: Promise<OpenSession> | undefined
  const open = (): Promise<OpenSession> =>
    (opened ??= place.open(project).then((runtime) => joined(runtime, known, project)))
  const ports: HookPorts = {
    get mode() {
      return place.settings().client.mode
    },
    get allowProtected() {
      return place.settings().client.allow_protected
    },
    door: {
      isExpected: place.expectsDoor === true,
      open: async () => localDoor((await open()).runtime.store, place.settings().http),
      async startDaemon() {
        const { ensureDaemon } = await import('../local/autostart.ts')
        await ensureDaemon(process.env, project)
      },
      isFirst: (hint) => isFirst(place.paths, hint),
    },
    ownFolders: [place.paths.config, place.paths.state, place.paths.run],
    privateFiles: () => privateFiles(place),
    program: place.program,
    // Where nobody says, programs find it out by themselves.
    env: { ...place.env, HOME: place.env.HOME || homeFolder() },
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
    const place: HookHost = {
      paths: runtime.paths,
      env: env as Record<string, string>,
      program: program as string[],
      expectsDoor: door === true,
      settings,
      open: async () => runtime,
    }
    return { output: (await answerHook(place, name, payload)) ?? null }
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

/** A map that is not there, or is somebody else's, names nothing of ours. */
async function privateFiles({ paths, env }: HookHost): Promise<string[]> {
  const home = env.HOME || homeFolder()
  try {
    const { entries, problems, text } = await readMapFile(paths.contextMap, home)
    return problems.length === 0 ? entries.map(({ file }) => file) : filesNamedIn(text, paths.config, home)
  } catch {
    return []
  }
}

/** With a mistake in the map no entry counts, but what it names is private all the same. */
function filesNamedIn(text: string, folder: string, home: string): string[] {
  const place = (from: string, path: string): string => resolve(from, path.replace(/^~(?=\/)/, home))
  const base = place(folder, /^[ \t]*base[ \t]*=[ \t]*["']([^"'\n]+)/m.exec(text)?.[1] ?? '.')
  return [...text.matchAll(/["']([^"'\n]+\.md)["']/gi)].map(([, path = '']) => place(base, path))
}

/** The project as our own server of the same client knows it: by its real name. */
function projectOf({ cwd }: HookPayload, env: NodeJS.ProcessEnv): string {
  const folder = env.CLAUDE_PROJECT_DIR || cwd
  try {
    return realpathSync(folder)
  } catch {
    return folder
  }
}

/** What the client's session is to us. */
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

/** Characters of small texts that are checked before others have their turn. */
const maxInOneTurn = 65_536

/** An answer may be many small texts. */
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
