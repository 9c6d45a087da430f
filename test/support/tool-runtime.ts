import { writeFileSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'

import { composeRuntime, openRecords, type Records, type Runtime } from '../../src/compose.ts'
import type { Call } from '../../src/core/call.ts'
import type { ErrorObject } from '../../src/core/errors/errors.ts'
import type { Json, JsonObject } from '@contextd/shared/json/value'
import type { Result } from '../../src/core/result.ts'
import { resolvePaths } from '../../src/platform/files/paths.ts'
import { closeInheritedFiles } from '../../src/sandbox/inherited-files.ts'
import { toolProject, type PackageParts, type ToolProject } from './tool-packages.ts'

export interface ToolRuntime extends ToolProject {
  readonly runtime: Runtime
  readonly records: Records
  readonly session: string
  /** Writes the package and approves it with these optional capabilities. */
  approved(parts: PackageParts, grants?: readonly string[]): Promise<string>
  /** Approves the existing package. */
  approve(name: string, grants?: readonly string[]): Promise<void>
  call(tool: string, args?: JsonObject, parts?: Partial<Call>): Promise<Result>
  /** The names of the listed tools. */
  listed(parts?: Partial<Call>): Promise<string[]>
  close(): Promise<void>
}

export interface ToolRuntimeOptions {
  readonly rules?: object
  /** Lines of config.toml. */
  readonly config?: string
  /** Whether contextd's own folders are next to the project, or in it. */
  readonly homeIn?: 'project'
}

/** The real contextd, in a project with user-defined tools. */
export async function toolRuntime({
  rules,
  config = '',
  homeIn,
}: ToolRuntimeOptions = {}): Promise<ToolRuntime> {
  // Like the programs at startup: the test runner may have left descriptors open.
  closeInheritedFiles()
  const place = toolProject()
  const env = {
    CONTEXTD_HOME: homeIn === undefined ? place.home : join(place.project, 'own'),
    // The git configuration of the machine that runs the tests has no effect.
    GIT_CONFIG_GLOBAL: join(place.home, 'gitconfig'),
    GIT_CONFIG_NOSYSTEM: '1',
  }
  const { configFile, rulesFile } = resolvePaths(env)
  mkdirSync(dirname(configFile), { recursive: true })
  writeFileSync(configFile, `[log]\nlevel = "error"\n${config}`)
  if (rules !== undefined) writeFileSync(rulesFile, JSON.stringify(rules))
  const composed = await composeRuntime({ env, cwd: place.project })
  let closing: Promise<void> | undefined
  // A transport opened on it may have closed it already.
  const runtime: Runtime = { ...composed, close: () => (closing ??= composed.close()) }
  const records = openRecords(env)
  const client = { name: 'test', version: '1', door: 'cli' } as const
  const session = runtime.sessions.begin(client)
  const send = ({ ...parts }: Partial<Call> & Pick<Call, 'method' | 'tool'>): Promise<Result> =>
    runtime.handle(
      runtime.newCall({ session, client, claims: {}, signal: new AbortController().signal, ...parts }),
    )
  const approve = async (name: string, grants: readonly string[] = []): Promise<void> => {
    const toolbox = await records.toolbox(place.project)
    ;(await toolbox.prepareApproval(name, grants)).approve()
  }
  return {
    ...place,
    runtime,
    records,
    session,
    approve,
    async approved(parts, grants) {
      const folder = place.add(parts)
      await approve(parts.name ?? 'probe', grants)
      return folder
    },
    call: (tool, args = {}, parts = {}) => send({ method: 'tool', tool, arguments: args, ...parts }),
    async listed(parts = {}) {
      const result = await send({ method: 'list', tool: 'tools', ...parts })
      const tools = result.kind === 'payload' ? (result.value.tools as JsonObject[]) : []
      return tools.map(({ name }) => name as string)
    },
    async close() {
      await runtime.close()
      records.close()
      place.remove()
    },
  }
}

/** The data of a tool result. */
export function dataOf(result: Result): Json {
  if (result.kind !== 'answer' || result.isError === true) throw new Error(JSON.stringify(result))
  return (result.structured as { data: Json }).data
}

/** The error of a denied call or a failed tool. */
export function errorIn(result: Result): ErrorObject {
  if (result.kind === 'refusal') return result.error
  const error = result.kind === 'answer' ? (result.structured as { error?: ErrorObject }).error : undefined
  if (error === undefined) throw new Error(`no error: ${JSON.stringify(result)}`)
  return error
}
