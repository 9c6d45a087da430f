// node scripts/run-ts.mjs benchmarks/gateway/idle-connections.ts: what one idle connection to an MCP server costs our
// process. A separate process, so that nothing else is in its memory. Prints one line of JSON.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

import { composeRuntime, type Runtime } from '../../src/compose.ts'
import { processesBelow } from '../../src/sandbox/process-tree.ts'
import type { IdleConnections } from './memory.ts'
import { everythingAllowed, prepareHome } from './routes.ts'

/** The first connections also load shared code. */
const warmUpConnections = 10
const measuredConnections = 50

// The average number of tools per server.
const tools = Array.from({ length: 15 }, (_, index) => ({
  name: `tool_${index}`,
  description: 'Does one of the many things that this server can do, and says afterwards how it went.',
  inputSchema: {
    type: 'object',
    properties: {
      path: { type: 'string', description: 'The file it is about' },
      limit: { type: 'integer', minimum: 1, description: 'How many at most' },
      tags: { type: 'array', items: { type: 'string' }, description: 'Only those with one of these' },
    },
    required: ['path'],
  },
}))

const home = mkdtempSync(join(tmpdir(), 'contextd-bench-'))
const agents = Array.from({ length: warmUpConnections + measuredConnections }, (_, index) => `agent-${index}`)
const tiny = {
  command: '/bin/sh',
  args: [resolve('benchmarks/gateway/tiny-server.sh'), JSON.stringify(tools)],
}
const { env } = prepareHome(
  home,
  { tiny },
  Object.fromEntries(agents.map((agent) => [agent, everythingAllowed])),
)
const runtime = await composeRuntime({ env, cwd: home, log: () => {} })
const client = { name: 'bench', version: '1', door: 'stdio' } as const
const session = runtime.sessions.begin(client)

for (const agent of agents.slice(0, warmUpConnections)) await callTwice(runtime, agent)
const start = memoryUsed()
for (const agent of agents.slice(warmUpConnections)) await callTwice(runtime, agent)
const end = memoryUsed()
const open = processesBelow(process.pid).length - 1
if (open < agents.length) throw new Error(`only ${open} connections are open`)
process.stdout.write(
  `${JSON.stringify({
    heapKb: (end.heap - start.heap) / 1024 / measuredConnections,
    rssKb: (end.rss - start.rss) / 1024 / measuredConnections,
  } satisfies IdleConnections)}\n`,
)
await runtime.close()
rmSync(home, { recursive: true })

/** The connection stays open afterwards, idle. */
async function callTwice({ handle, newCall }: Runtime, agent: string): Promise<void> {
  for (let call = 0; call < 2; call += 1) {
    const result = await handle(
      newCall({
        method: 'tool',
        tool: 'execute_tool',
        arguments: { agent_id: agent, server: 'tiny', tool: 'tool_1', args: { path: 'a' } },
        session,
        client,
        claims: {},
        signal: new AbortController().signal,
      }),
    )
    if (result.kind !== 'answer' || result.isError === true) throw new Error(JSON.stringify(result))
  }
}

/** In bytes, after garbage collection. */
function memoryUsed(): { heap: number; rss: number } {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  for (let round = 0; round < 5; round += 1) collect()
  const { heapUsed, external, rss } = process.memoryUsage()
  return { heap: heapUsed + external, rss }
}
