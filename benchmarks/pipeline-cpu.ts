import { composeRuntime } from '../src/compose.ts'
import { emptyTool } from './support/empty-tool.ts'

/** CPU milliseconds per call through every stage, audit included, around a tool that does nothing. */
export async function measurePipelineCpu(home: string, calls: number): Promise<number> {
  const runtime = await composeRuntime({ env: { CONTEXTD_HOME: home }, cwd: home, tools: [emptyTool] })
  const client = { name: 'bench', version: '1', door: 'stdio' } as const
  const session = runtime.sessions.begin(client)
  const { signal } = new AbortController()
  const once = async (): Promise<void> => {
    await runtime.handle(
      runtime.newCall({ method: 'tool', tool: 'hello', session, client, claims: {}, signal }),
    )
  }
  for (let index = 0; index < 2000; index += 1) await once()
  const before = process.cpuUsage()
  for (let index = 0; index < calls; index += 1) await once()
  const { user, system } = process.cpuUsage(before)
  await runtime.close()
  return (user + system) / 1000 / calls
}
