import { composeRuntime, type Runtime } from '../../compose.ts'
import { controlTools } from '../../servers/control/control-tools.ts'
import { runDaemon } from '../../servers/daemon/daemon.ts'
import type { DaemonStatus } from '../../servers/local/running-daemon.ts'

/** `contextd serve`: the daemon in the foreground, until a signal or `ctxd server stop` ends it. */
export async function serve(options: { json: boolean }): Promise<void> {
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stop.abort())
  const runtime = await composeRuntime({
    env: process.env,
    cwd: process.cwd(),
    shared: true,
    control: controlTools,
  })
  const onReady = (status: DaemonStatus): void => {
    process.stdout.write(options.json ? `${JSON.stringify(status)}\n` : banner(status))
  }
  const open = (cwd: string): Promise<Runtime> =>
    composeRuntime({ env: process.env, cwd, control: controlTools })
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
