import { spawn, type ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

/** A minimal JSON-RPC client: only the server should be measured. */
export interface StdioPeer {
  request(method: string, params?: object): Promise<unknown>
  /** Resident memory in MB. */
  rss(): number
  stop(): Promise<void>
}

export function startPeer(args: readonly string[], env: NodeJS.ProcessEnv): StdioPeer {
  const child: ChildProcess = spawn(process.execPath, [...args], { env, stdio: ['pipe', 'pipe', 'ignore'] })
  const waiting = new Map<number, (message: unknown) => void>()
  let lastId = 0
  if (child.stdout === null || child.stdin === null) throw new Error('no pipes')
  const { stdin } = child
  // A server that exits invalidates the measurement.
  child.once('exit', (code) => {
    if (waiting.size > 0) throw new Error(`${args.join(' ')} exited with code ${code}`)
  })
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message = JSON.parse(line) as { id?: number }
    if (message.id === undefined) return
    waiting.get(message.id)?.(message)
    waiting.delete(message.id)
  })
  return {
    request(method, params = {}) {
      lastId += 1
      const id = lastId
      stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
      return new Promise((resolve) => waiting.set(id, resolve))
    },
    rss: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024,
    stop() {
      const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
      stdin.end()
      return ended
    },
  }
}

/** Handshake of the 2025 revision and the tool list: what a client does before its first call. */
export async function openPeer(peer: StdioPeer): Promise<void> {
  await peer.request('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'bench', version: '1' },
  })
  await peer.request('tools/list')
}
