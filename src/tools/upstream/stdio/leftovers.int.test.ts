import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { bundleScript, type BundledScript } from '../../../../test/support/bundled-script.ts'
import { fixtureTransport } from '../../../../test/support/upstream-fixtures/stdio-transport.ts'
import type { StdioTransport } from '../server.ts'
import { connectStdio } from './connect.ts'

const folder = mkdtempSync(join(tmpdir(), 'contextd-leftovers-'))
let connector: BundledScript
beforeAll(async () => {
  connector = await bundleScript('test/support/upstream-fixtures/connector.ts')
})
afterAll(() => {
  connector.remove()
  rmSync(folder, { recursive: true })
})

let count = 0
/** A server whose processes can be identified. */
function marked(mode: string): { transport: StdioTransport; marker: string } {
  const marker = `leftover-${process.pid}-${count++}`
  return { transport: fixtureTransport('naughty', [mode, marker], { env: { MARKER: marker } }), marker }
}

/** Processes with this marker in their environment. */
function processesOf(marker: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/environ`, 'latin1').includes(marker)
      } catch {
        return false
      }
    })
}

async function eventually(check: () => boolean): Promise<void> {
  while (!check()) await new Promise((resolve) => setTimeout(resolve, 20))
}

const connect = (transport: StdioTransport) =>
  connectStdio(
    transport,
    'auto',
    { project: '/', env: process.env },
    { onNotice: () => {}, signal: new AbortController().signal, maxMessageBytes: 1 << 20 },
  )

describe.runIf(existsSync('/proc/self/environ'))('after a connection is closed', () => {
  test('a server that ignores the end of its input and SIGTERM is killed', async () => {
    const { transport, marker } = marked('ignores-all')
    const connection = await connect(transport)
    expect(processesOf(marker)).toHaveLength(1)
    await connection.close()
    expect(processesOf(marker)).toEqual([])
  })

  test('descendants in other groups and sessions are killed', async () => {
    const { transport, marker } = marked('leaves-children')
    const connection = await connect(transport)
    await eventually(() => processesOf(marker).length >= 4)
    await connection.close()
    expect(processesOf(marker)).toEqual([])
  })

  test('children of a server that exited first are killed', async () => {
    const { transport, marker } = marked('leaves-children')
    const connection = await connect(transport)
    await eventually(() => processesOf(marker).length >= 4)
    const server = processesOf(marker).find((pid) =>
      readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes('naughty.mjs'),
    )
    process.kill(server!, 'SIGKILL')
    expect(await connection.ended).toMatchObject({ message: expect.stringContaining('SIGKILL') })
    await eventually(() => processesOf(marker).length === 0)
    await connection.close()
  })

  test('a cancelled start leaves no process', async () => {
    const { transport, marker } = marked('hangs-at-start')
    const stop = new AbortController()
    const starting = connectStdio(
      transport,
      'auto',
      { project: '/', env: process.env },
      { onNotice: () => {}, signal: stop.signal, maxMessageBytes: 1 << 20 },
    )
    await eventually(() => processesOf(marker).length > 0)
    stop.abort()
    await expect(starting).rejects.toThrow()
    await eventually(() => processesOf(marker).length === 0)
  })
})

describe.runIf(existsSync('/proc/self/environ'))('after contextd itself was killed', () => {
  /** Processes are identified by the environment, so the marker must be passed there. */
  async function killUsWith(mode: string): Promise<string> {
    const { transport, marker } = marked(mode)
    const us = spawn(
      process.execPath,
      [connector.path, '/usr/bin/env', `MARKER=${marker}`, transport.command, ...transport.args],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    )
    await once(us.stdout, 'data')
    expect(processesOf(marker).length).toBeGreaterThan(0)
    us.kill('SIGKILL')
    await once(us, 'exit')
    return marker
  }

  test.each(['ignores-all', 'leaves-children', 'old'])('a server that %s is killed too', async (mode) => {
    const marker = await killUsWith(mode)
    await eventually(() => processesOf(marker).length === 0)
  })
})

test('a server does not inherit open files of our parent', async () => {
  const secret = join(folder, 'secret')
  writeFileSync(secret, 'left open\n')
  const server = join(folder, 'sees.sh')
  // Reports what it reads from the inherited descriptor.
  writeFileSync(
    server,
    `#!/bin/bash
read -r; seen=none; read -r seen <&251 2>/dev/null
printf '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"x","version":"1"}}}\\n'
read -r; read -r; printf '{"jsonrpc":"2.0","id":2,"result":{"seen":"%s"}}\\n' "$seen"; read -r`,
  )
  const look = async (program: string, ...args: string[]): Promise<string> => {
    const shell = `exec 251<"$1"; shift; exec "$@"`
    const us = spawn('/bin/bash', ['-c', shell, '-', secret, program, ...args], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    us.stdin.write('\n\n\n')
    for await (const line of createInterface({ input: us.stdout })) {
      const seen = /"seen":"([^"]*)"/.exec(line)?.[1]
      if (seen === undefined) continue
      us.kill()
      return seen
    }
    return 'nothing was answered'
  }
  expect(await look(process.execPath, connector.path, '/bin/bash', server)).toBe('none')
  // Control: the same server, started without closing inherited files.
  expect(await look('/bin/bash', server)).toBe('left open')
})
