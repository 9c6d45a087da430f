// Other gateways in front of the same echo server, each over the transport it offers.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { Client, SSEClientTransport, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'

import { processesBelow } from '../../src/sandbox/process-tree.ts'
import { foreignProgram } from './foreign-program.ts'
import { callMany } from './in-turns.ts'
import { byName, echoBehind, echoServer, routeOf, type Place, type Route } from './routes.ts'

interface Peer {
  readonly name: string
  readonly version: string
  readonly program: string
  args(port: number, home: string): string[]
  readonly path: string
  readonly transport: 'http' | 'sse'
  /**
   * The protocol revision in which it responds faster: supergateway starts a process for every call of a modern client.
   */
  readonly era: 'legacy' | 'auto'
  readonly tool: string
}

const peers: readonly Peer[] = [
  {
    name: 'mcp-hub',
    version: '4.2.1',
    program: 'dist/cli.js',
    args(port, home) {
      const config = join(home, 'mcp-hub.json')
      writeFileSync(config, JSON.stringify({ mcpServers: echoBehind }))
      return ['--port', String(port), '--config', config]
    },
    path: '/mcp',
    transport: 'sse',
    era: 'legacy',
    tool: 'echo__echo',
  },
  {
    name: 'supergateway',
    version: '4.0.0',
    program: 'dist/index.js',
    args: (port) => [
      ...`--port ${port} --outputTransport streamableHttp --stateful --logLevel none --stdio`.split(' '),
      `"${process.execPath}" "${echoServer}"`,
    ],
    path: '/mcp',
    transport: 'http',
    era: 'legacy',
    tool: 'echo',
  },
  {
    name: 'mcp-proxy',
    version: '6.7.19',
    program: 'dist/bin/mcp-proxy.mjs',
    args: (port) => [
      ...`--port ${port} --host 127.0.0.1 --server stream --`.split(' '),
      process.execPath,
      echoServer,
    ],
    path: '/mcp',
    transport: 'http',
    era: 'auto',
    tool: 'echo',
  },
]

export interface Absent {
  readonly name: string
  readonly why: string
}

/** All peers that can be started, and the reasons why others cannot. */
export async function openPeers(place: Place): Promise<{ routes: Route[]; absent: Absent[] }> {
  const routes: Route[] = []
  const absent: Absent[] = []
  for (const peer of peers) {
    const name = `${peer.name} ${peer.version}`
    try {
      routes.push(await openPeer(peer, name, place))
    } catch (error) {
      absent.push({ name, why: String(error) })
    }
  }
  return { routes, absent }
}

async function openPeer(peer: Peer, name: string, { env, home }: Place): Promise<Route> {
  const program = await foreignProgram(peer.name, peer.version, peer.program)
  const port = await freePort()
  const child = spawn(process.execPath, [program, ...peer.args(port, home)], {
    env,
    cwd: home,
    stdio: 'ignore',
  })
  const pid = child.pid!
  const ended = once(child, 'exit')
  const stop = async (): Promise<void> => {
    for (const each of processesBelow(pid)) killIfRunning(each)
    await ended
  }
  try {
    const client = await connect(peer, new URL(peer.path, `http://127.0.0.1:${port}`), ended)
    const route = routeOf(name, client, pid, byName(peer.tool))
    await callMany(route, 32)
    return {
      ...route,
      async close() {
        await route.close().catch(() => {})
        await stop()
      },
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Peers signal readiness differently, but all of them answer requests. */
async function connect(peer: Peer, url: URL, ended: Promise<unknown>): Promise<Client> {
  let hasEnded = false
  void ended.then(() => (hasEnded = true))
  for (const start = performance.now(); ; await sleep(200)) {
    if (hasEnded) throw new Error('exited at startup')
    const client = new Client({ name: 'bench', version: '1' }, { versionNegotiation: { mode: peer.era } })
    try {
      await client.connect(
        peer.transport === 'sse' ? new SSEClientTransport(url) : new StreamableHTTPClientTransport(url),
      )
      const { tools } = await client.listTools()
      if (tools.some(({ name }) => name === peer.tool)) return client
      throw new Error(`lists ${tools.map(({ name }) => name).join(', ')}`)
    } catch (error) {
      await client.close().catch(() => {})
      if (performance.now() - start > 20_000) throw error
    }
  }
}

function killIfRunning(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // Some exit with their parent.
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
