import { join } from 'node:path'

import { compare, type Comparison } from '../support/statistics.ts'
import { openPeer, startPeer } from '../support/stdio-peer.ts'
import { contextdProgram, echoBehind, everythingAllowed, prepareHome, type Place } from './routes.ts'

/**
 * Time from process start to the response to `tools/list`, with twenty servers configured and with none; the two
 * alternate.
 */
export async function measureStartWithServers(home: string, rounds: number): Promise<Comparison> {
  const rules = { main: everythingAllowed }
  const many = Array.from({ length: 20 }, (_, index) => [`echo-${index}`, echoBehind.echo])
  const withServers = prepareHome(join(home, 'many'), Object.fromEntries(many), rules)
  const withoutServers = prepareHome(join(home, 'none'), {}, rules)
  const start = async ({ env }: Place): Promise<number> => {
    const before = performance.now()
    const peer = startPeer([contextdProgram, 'mcp', 'serve', '--agent', 'main'], env)
    await openPeer(peer)
    const elapsedMs = performance.now() - before
    await peer.stop()
    return elapsedMs
  }
  const pairs: { ours: number; theirs: number }[] = []
  for (let round = 0; round < rounds; round += 1) {
    pairs.push({ theirs: await start(withoutServers), ours: await start(withServers) })
  }
  return compare(pairs)
}
