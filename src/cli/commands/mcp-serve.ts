import { composeRuntime } from '../../compose.ts'
import { keepHeapSmall } from '../../platform/heap.ts'
import { serveMcpStdio } from '../../servers/mcp-stdio.ts'

/** `contextd mcp serve`: one client on stdin and stdout. */
export async function serveMcp(options: { agent?: string; transparent?: boolean }): Promise<void> {
  keepHeapSmall()
  await serveMcpStdio(await composeRuntime({ env: process.env, cwd: process.cwd(), ...options }))
  // Everything is written down by now; a tool that does not listen to its signal must not keep the process.
  process.exit()
}
