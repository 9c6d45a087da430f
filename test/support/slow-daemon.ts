/** Runs as a separate process: a daemon with an additional tool that reports its start and never ends. */

import { composeRuntime } from '../../src/compose.ts'
import { OWN_SERVER } from '../../src/core/call.ts'
import type { Tool } from '../../src/core/tool.ts'
import { controlTools } from '../../src/servers/control/control-tools.ts'
import { runDaemon } from '../../src/servers/daemon/daemon.ts'

const endless: Tool = {
  definition: { name: 'endless', description: 'never ends', inputSchema: { type: 'object' } },
  server: OWN_SERVER,
  needs: [],
  run() {
    process.stdout.write('running\n')
    return new Promise(() => {})
  },
}
const options = { env: process.env, log: () => {}, tools: [endless], control: controlTools }
const runtime = await composeRuntime({ ...options, cwd: process.cwd() })
await runDaemon(runtime, {
  stop: new AbortController().signal,
  onReady: () => process.stdout.write('ready\n'),
  open: (cwd) => composeRuntime({ ...options, cwd }),
})
