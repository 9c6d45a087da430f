import { openPeer, startPeer } from './support/stdio-peer.ts'

/** Resident memory of a server over ten thousand calls. */
export async function measureMemory(
  server: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<{ calls: number; rss: number }[]> {
  const peer = startPeer(server, env)
  await openPeer(peer)
  const samples: { calls: number; rss: number }[] = []
  for (let calls = 1; calls <= 10_000; calls += 1) {
    await peer.request('tools/call', { name: 'hello', arguments: {} })
    if (calls === 2500 || calls === 5000 || calls === 10_000) samples.push({ calls, rss: peer.rss() })
  }
  await peer.stop()
  return samples
}
