import type { StdioClientTransport } from '@modelcontextprotocol/client/stdio'

import { until } from '@contextd/shared/testing/until'

/**
 * Ends the program behind a client and waits until it is gone, with all that it started: a client that is closed waits
 * some seconds for that, then kills it, and what it wrote to or started is left as it is.
 */
export async function endProgram(transport: StdioClientTransport): Promise<void> {
  if (transport.pid !== null) process.kill(transport.pid, 'SIGTERM')
  await until(() => transport.pid === null)
}
