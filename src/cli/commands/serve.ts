import { composeRuntime, type Runtime } from '../../compose.ts'
import { controlTools } from '../../servers/control/control-tools.ts'
import { portsFor } from '../../platform/config/ports.ts'
import { runDaemon } from '../../servers/daemon/daemon.ts'
import type { DaemonStatus } from '../../servers/local/running-daemon.ts'
import type { JsonOption } from '@contextd/shared/cli/output'
import type { PortOptions } from './server.ts'

/** `ctxd serve`: the daemon in the foreground, until a signal or `ctxd stop` ends it. */
export async function serve({ json, port, grpcPort }: JsonOption & PortOptions): Promise<void> {
  const { env } = process
  const ports = portsFor({ http: port, grpc: grpcPort }, env)
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stop.abort())
  const options = { env, ports, control: controlTools }
  const runtime = await composeRuntime({ ...options, cwd: process.cwd(), shared: true })
  const onReady = (status: DaemonStatus): void => {
    process.stdout.write(json ? `${JSON.stringify(status)}\n` : banner(status))
  }
  const open = (cwd: string): Promise<Runtime> => composeRuntime({ ...options, cwd })
  await runDaemon(runtime, { stop: stop.signal, onReady, open })
  // Everything is persisted by now; a tool that ignores its signal must not keep the process alive.
  process.exit()
}

function banner({
  version,
  pid,
  mcp,
  control,
  grpc,
  store,
  workspace,
  sandbox,
  rules,
  upstream,
  connect,
}: DaemonStatus): string {
  return `contextd ${version} running (pid ${pid})

  MCP       ${mcp}
  control   ${control}
  gRPC      ${grpc}
  store     ${store}
  workspace ${workspace}
  sandbox   ${sandbox}
  rules     ${rules}
  upstream  ${upstream}

Connect Claude Code:
  ${connect}

Ctrl-C ends it.
`
}
