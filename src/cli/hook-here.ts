/** Where no contextd that runs answers a hook: one in this process, as much of it as the hook needs. */

import type { HookOutput } from '../clients/claude-code/hooks/hook.ts'
import { loadConfig } from '../platform/config/load-config.ts'
import type { Log } from '../platform/log.ts'
import { resolvePaths } from '../platform/files/paths.ts'
import { answerHook } from '../servers/hooks/hook-calls.ts'

export interface HookRequest {
  /** One hook, or several with spaces between them. */
  readonly name: string
  /** What the client wrote to the hook's standard input. */
  readonly payload: string
  readonly env: Record<string, string>
  /** How the hook itself was run, without its arguments. */
  readonly program: string[]
  /** Whether it was run with `--door`. */
  readonly door?: boolean
}

export interface HookAnswer {
  readonly output: HookOutput | null
}

/** `log`: where what a person should know is said; on stderr unless given. */
export async function answerHere(
  { name, payload, env, program, door }: HookRequest,
  log?: Log,
): Promise<HookAnswer> {
  let close = async (): Promise<void> => {}
  try {
    const paths = resolvePaths()
    const place = {
      paths,
      settings: () => loadConfig({ userFile: paths.configFile, isTrusted: () => false }).config,
      env,
      program,
      ...(door !== undefined && { expectsDoor: door }),
      async open(project: string) {
        const { composeRuntime } = await import('../compose.ts')
        const runtime = await composeRuntime({
          env: process.env,
          cwd: project,
          brief: true,
          ...(log && { log }),
        })
        close = runtime.close
        return runtime
      },
    }
    return { output: (await answerHook(place, name, payload)) ?? null }
  } finally {
    await close()
  }
}
