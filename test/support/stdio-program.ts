import type { StdioClientTransport } from '@modelcontextprotocol/client/stdio'

import { until } from '@contextd/shared/testing/until'

/**
 * Stops the program behind a client and waits until it and its child processes are gone. Closing the client waits some
 * seconds, then kills the program, which leaves its files and children behind.
 */
export async function endProgram(transport: StdioClientTransport): Promise<void> {
  if (transport.pid !== null) process.kill(transport.pid, 'SIGTERM')
  await until(() => transport.pid === null)
}
