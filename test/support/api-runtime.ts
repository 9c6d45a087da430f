import { composeRuntime, type ComposeOptions, type Runtime } from '../../src/compose.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import { endCallerSessions } from '../../src/servers/sessions/caller-sessions.ts'
import { localCaller, type ApiCaller } from '../../src/servers/sessions/callers.ts'
import { controlTools } from '../../src/servers/control/control-tools.ts'
import { perform } from '../../src/servers/control/perform.ts'
import { makeTempHome, type TempHome } from './temp-home.ts'

/** The real contextd with its API, in temporary folders that are removed when it is closed. */
export interface ApiRuntime {
  readonly home: TempHome
  readonly runtime: Runtime
  /** As the operator unless another caller is given. */
  call(rpc: string, request?: JsonObject, caller?: ApiCaller): Promise<JsonObject>
  close(): Promise<void>
}

export const person: ApiCaller = localCaller({ name: 'test', version: '1', door: 'cli' })

export function declaring(agent: unknown): ApiCaller {
  return localCaller(person.client, { agent })
}

export async function apiRuntime({
  rules,
  ...parts
}: { rules?: object } & Pick<ComposeOptions, 'tools'> = {}): Promise<ApiRuntime> {
  const home = makeTempHome()
  if (rules !== undefined) home.write('config/rules.json', rules)
  const runtime = await composeRuntime({
    env: home.env,
    cwd: home.project,
    log: () => {},
    control: controlTools,
    ...parts,
  })
  return {
    home,
    runtime,
    call: (rpc, request = {}, caller = person) =>
      perform(runtime, rpc, request, caller, { signal: new AbortController().signal }),
    async close() {
      await endCallerSessions(runtime)
      await runtime.close()
      home.remove()
    },
  }
}
