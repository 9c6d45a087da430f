import type { OutputPart } from '../../clients/claude-code/hooks/scrub-gate.ts'
import { LOCAL_TENANT } from '../../core/call.ts'
import { resolvePaths } from '../../platform/paths.ts'
import { answerHook } from '../../servers/hook-calls.ts'
import type { HookAnswer, HookRequest } from './hook.ts'

/**
 * Where no daemon answers. Where the store cannot be opened either, as in the sandbox that the client may put around its
 * shell, secrets lose their numbers: there is nowhere to keep what they stand for.
 */
export async function scrubHere(
  request: HookRequest,
  part: OutputPart,
  project: string,
): Promise<HookAnswer> {
  try {
    return { output: (await answerQuietly(request)) ?? null }
  } catch {
    return { output: { text: await withoutStore(part, project) } }
  }
}

/** What we would say on stderr would stand in the output of the command. */
async function answerQuietly({
  name,
  payload,
  env,
  program,
}: HookRequest): Promise<HookAnswer['output'] | undefined> {
  const { composeRuntime } = await import('../../compose.ts')
  let close = async (): Promise<void> => {}
  try {
    const open = async (project: string): ReturnType<typeof composeRuntime> => {
      const runtime = await composeRuntime({ env: process.env, cwd: project, log: () => {} })
      close = runtime.close
      return runtime
    }
    return await answerHook({ paths: resolvePaths(), env, program, open }, name, payload)
  } finally {
    await close()
  }
}

async function withoutStore({ before, text }: OutputPart, project: string): Promise<string> {
  const { openScrubber } = await import('../../compose.ts')
  const { scrubber } = await openScrubber({ env: process.env, cwd: project })
  const whole = before + text
  const { findings } = scrubber.scrub(whole, { tenant: LOCAL_TENANT, session: 'shell' })
  let clean = ''
  let at = before.length
  for (const { start, end } of findings.filter((found) => found.end > before.length)) {
    clean += `${whole.slice(at, Math.max(at, start))}[SECRET]`
    at = end
  }
  return clean + whole.slice(at)
}
