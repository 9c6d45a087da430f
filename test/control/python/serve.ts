/**
 * Serves the API for a client in another language. Prints the addresses as one line of JSON, and exits when stdin
 * closes.
 */

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import type { CertificateSubject } from '../../../src/platform/tls/authority.ts'
import { doorTools } from '../../support/door-tools.ts'
import { grpcDoor } from '../grpc-door.ts'

const door = await grpcDoor({ tls: true, tools: doorTools(), control: 'message_bytes = 65536\n' })

function written(name: string, caller: CertificateSubject): string {
  const { ca, cert, key } = door.issue(caller)
  const folder = join(door.home, name)
  mkdirSync(folder)
  for (const [file, text] of Object.entries({ 'ca.pem': ca, 'cert.pem': cert, 'key.pem': key })) {
    writeFileSync(join(folder, file), text, { mode: 0o600 })
  }
  return folder
}

const addresses = {
  socket: door.socket,
  tcp: door.tcp?.replace('127.0.0.1', 'localhost'),
  operator: written('operator', { kind: 'operator', id: 'ann' }),
  agent: written('agent', { kind: 'agent', id: 'main' }),
}
process.stdout.write(`${JSON.stringify(addresses)}\n`)
process.stdin.resume()
process.stdin.once('end', () => void door.close().then(() => process.exit(0)))
