import { setFlagsFromString } from 'node:v8'

import { composeRuntime } from '../../compose.ts'
import { openDoorFor } from '../../servers/local/door-startup.ts'
import { serveMcpStdio } from '../../servers/mcp/stdio.ts'

/** `contextd mcp serve`: one client on stdin and stdout. */
export async function serveMcp(options: { agent?: string; transparent?: boolean }): Promise<void> {
  keepHeapSmall()
  const { env } = process
  const runtime = await composeRuntime({ env, cwd: process.cwd(), ...options })
  void runtime.startTracing()
  void openDoorFor(runtime, env)
  await serveMcpStdio(runtime, env.CLAUDECODE ? { client: process.ppid } : {})
  // Everything is persisted by now; a tool that ignores its signal must not keep the process alive.
  process.exit()
}

/**
 * A server for one client is mostly idle and uses little memory. By default, the young generation of the heap grows
 * to tens of megabytes under a burst of calls and never shrinks; fixing its initial size had no measurable cost.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1')
}
