import type { Served } from './daemons.ts'
import { toolsClient } from './unary.ts'

export interface Endured {
  readonly calls: number
  readonly errors: readonly string[]
  /** Resident memory of the server in MB: after a sixth of the time, and at the end. */
  readonly rss: readonly [before: number, after: number]
}

/** Every client calls again as soon as it has a response, until the time is up. */
export async function endureClients(served: Served, clients: number, seconds: number): Promise<Endured> {
  const end = Date.now() + seconds * 1000
  const errors: string[] = []
  let calls = 0
  let before = 0
  const settled = setTimeout(() => (before = served.rss()), (seconds * 1000) / 6)
  const callOn = async (): Promise<void> => {
    const client = toolsClient(served.socket)
    while (Date.now() < end) {
      try {
        await client.call()
        calls += 1
      } catch (error) {
        errors.push(String(error))
      }
    }
    client.close()
  }
  await Promise.all(Array.from({ length: clients }, callOn))
  clearTimeout(settled)
  return { calls, errors, rss: [before, served.rss()] }
}
