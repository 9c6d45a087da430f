/** Handles a hook in this process if no contextd is running, loading only what the hook needs. */

import type { HookOutput } from '../clients/claude-code/hooks/hook.ts'
import { loadConfig } from '../platform/config/load-config.ts'
import type { Log } from '../platform/log.ts'
import { resolvePaths } from '../platform/files/paths.ts'
import { answerHook } from '../servers/hooks/hook-calls.ts'

export interface HookRequest {
  /** One hook, or several separated by spaces. */
  readonly name: string
  /** What the client wrote to the hook's standard input. */
  readonly payload: string
  readonly env: Record<string, string>
  /** The command line that ran the hook, without its arguments. */
  readonly program: string[]
  /** Whether it was run with `--door`. */
  readonly door?: boolean
}

export interface HookAnswer {
  readonly output: HookOutput | null
}

/** `log` receives messages for the user; stderr by default. */
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
