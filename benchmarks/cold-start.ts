import { median } from './support/statistics.ts'
import { openPeer, startPeer } from './support/stdio-peer.ts'

/** From the start of the process to its answer to `tools/list`, in milliseconds; the two take turns. */
export async function measureColdStart(
  servers: { ours: readonly string[]; theirs: readonly string[] },
  env: NodeJS.ProcessEnv,
  rounds: number,
): Promise<{ ours: number; theirs: number }> {
  const start = async (args: readonly string[]): Promise<number> => {
    const before = performance.now()
    const peer = startPeer(args, env)
    await openPeer(peer)
    const took = performance.now() - before
    await peer.stop()
    return took
  }
  const samples = { ours: [] as number[], theirs: [] as number[] }
  for (let round = 0; round < rounds; round += 1) {
    samples.theirs.push(await start(servers.theirs))
    samples.ours.push(await start(servers.ours))
  }
  return { ours: median(samples.ours), theirs: median(samples.theirs) }
}
