/** What a machine has beside files: servers, processes and shared memory, all made for the battery and removed after it. */

import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { rmSync, writeFileSync } from 'node:fs'
import { createServer, type ListenOptions, type Server } from 'node:net'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'

import { otherCall } from './attack.ts'
import { secret } from './layout.ts'

export interface Scene {
  /** A socket that is listened on. */
  readonly socket: string
  /** What attacks are told. */
  readonly env: Readonly<Record<string, string>>
  /** Processes that an attack may end. */
  mortals(): Record<string, string>
  close(): void
}

const greeting = 'greetings from the outside\n'

export async function openScene(folder: string): Promise<Scene> {
  const name = `contextd-battery-${process.pid}`
  const servers: Server[] = []
  const listen = async (options: ListenOptions): Promise<number> => {
    const server = createServer((socket) => socket.on('error', () => {}).end(greeting))
    server.listen(options)
    await once(server, 'listening')
    servers.push(server)
    const address = server.address()
    return typeof address === 'object' ? (address?.port ?? 0) : 0
  }
  const udp = createSocket('udp4')
  udp.on('message', (_, { port, address }) => udp.send(greeting, port, address))
  udp.bind(0, '127.0.0.1')
  await once(udp, 'listening')

  const port = await listen({ host: '127.0.0.1', port: 0 })
  await listen({ host: '127.0.0.2', port })
  const port6 = await listen({ host: '::1', port: 0 }).catch(() => 0)
  const address = ownAddress()
  const hostPort = address === undefined ? 0 : await listen({ host: address, port: 0 })
  const socket = join(folder, 'host.sock')
  await listen({ path: socket })
  await listen({ path: `\0${name}` })

  const processes: ChildProcess[] = []
  const start = (title: string): number => {
    const line = ['--pdeathsig', 'KILL', 'bash', '-c', 'exec -a "$0" sleep 600', title]
    const child = spawn('setpriv', line, { stdio: 'ignore' })
    processes.push(child)
    return child.pid ?? 0
  }
  const victim = start(`${name}-victim`)
  const key = 0x63740000 + (process.pid & 0xffff)
  writeFileSync(join('/dev/shm', name), secret)
  perl(
    `my $id = shmget(${key}, 4096, 0600 | 01000) // die; shmwrite($id, "${secret}", 0, 32) or die;
     my $queue = "${name}"; syscall(${otherCall(240, 180)}, $queue, 0x42, 0600, 0);`,
  )

  return {
    socket,
    env: {
      TCP_PORT: String(port),
      TCP6_PORT: port6 === 0 ? '' : String(port6),
      HOST_ADDRESS: address ?? '',
      HOST_PORT: String(hostPort),
      UDP_PORT: String(udp.address().port),
      UNIX_SOCKET: socket,
      ABSTRACT_SOCKET: name,
      VICTIM: String(victim),
      VICTIM_NAME: `${name}-victim`,
      SHM_KEY: String(key),
      SHM_NAME: name,
      QUEUE: name,
    },
    mortals: () => ({ MORTAL: String(start(`${name}-mortal`)), FIRST: String(start(`${name}-first`)) }),
    close() {
      for (const child of processes) child.kill('SIGKILL')
      for (const server of servers) server.close()
      udp.close()
      rmSync(join('/dev/shm', name), { force: true })
      perl(
        `my $id = shmget(${key}, 0, 0); shmctl($id, 0, 0) if defined $id; my $queue = "${name}"; syscall(${otherCall(241, 181)}, $queue);`,
      )
    },
  }
}

function perl(program: string): void {
  execFileSync('perl', ['-e', program], { stdio: 'inherit' })
}

/** One by which others know this machine. */
function ownAddress(): string | undefined {
  return Object.values(networkInterfaces())
    .flat()
    .find((found) => found !== undefined && !found.internal && found.family === 'IPv4')?.address
}
