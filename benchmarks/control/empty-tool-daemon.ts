// The daemon with one tool that does nothing, so that only the round trip is measured.
import { composeRuntime } from '../../src/compose.ts'
import { controlTools } from '../../src/servers/control/control-tools.ts'
import { runDaemon } from '../../src/servers/daemon/daemon.ts'
import { emptyTool } from '../support/empty-tool.ts'

const stop = new AbortController()
process.once('SIGTERM', () => stop.abort())
const { env } = process
const open = (cwd: string): ReturnType<typeof composeRuntime> =>
  composeRuntime({ env, cwd, tools: [emptyTool], control: controlTools })
const runtime = await open(process.cwd())
await runDaemon(runtime, {
  stop: stop.signal,
  open,
  onReady: (status) => process.stdout.write(`${JSON.stringify(status)}\n`),
})
process.exit()
