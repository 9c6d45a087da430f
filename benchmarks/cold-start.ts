import { compare, type Comparison } from './support/statistics.ts'
import { openPeer, startPeer } from './support/stdio-peer.ts'

/** Time from process start to the response to `tools/list`, in milliseconds; the two servers alternate. */
export async function measureColdStart(
  servers: { ours: readonly string[]; theirs: readonly string[] },
  env: NodeJS.ProcessEnv,
  rounds: number,
): Promise<Comparison> {
  const start = async (args: readonly string[]): Promise<number> => {
    const before = performance.now()
    const peer = startPeer(args, env)
    await openPeer(peer)
    const elapsedMs = performance.now() - before
    await peer.stop()
    return elapsedMs
  }
  const pairs: { ours: number; theirs: number }[] = []
  for (let round = 0; round < rounds; round += 1) {
    pairs.push({ theirs: await start(servers.theirs), ours: await start(servers.ours) })
  }
  return compare(pairs)
}
