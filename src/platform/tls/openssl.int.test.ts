import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

import { makeTlsPlace } from '../../../test/support/tls-place.ts'
import { startRotation, requireTlsFolder } from './changes.ts'
import { pem } from './tls-folder.ts'

const hasOpenssl = spawnSync('openssl', ['version']).status === 0

function openssl(...line: string[]): { ok: boolean; text: string } {
  const { status, stdout, stderr } = spawnSync('openssl', line, { encoding: 'utf8' })
  return { ok: status === 0, text: stdout + stderr }
}

test.skipIf(!hasOpenssl)(
  'openssl accepts our certificates in strict mode for their purpose (needs openssl)',
  () => {
    const place = makeTlsPlace()
    const file = (name: string, text: string): string => {
      const path = join(place.root, name)
      writeFileSync(path, text)
      return path
    }
    const first = file('first.pem', pem(requireTlsFolder(place.folder).authority.certificate))
    const agent = file('agent.pem', place.issue('agent', 'contextd:scanner').cert)
    const server = file('server.pem', pem(requireTlsFolder(place.folder).server.certificate))
    const verify = (ca: string, purpose: string, leaf: string, ...more: string[]): boolean =>
      openssl('verify', '-x509_strict', '-CAfile', ca, '-purpose', purpose, ...more, leaf).ok

    expect(verify(first, 'sslclient', agent)).toBe(true)
    expect(verify(first, 'sslserver', server, '-verify_hostname', 'localhost')).toBe(true)
    expect(verify(first, 'sslserver', server, '-verify_ip', '::1')).toBe(true)
    expect(verify(first, 'sslserver', server, '-verify_hostname', 'example.org')).toBe(false)
    expect(verify(first, 'sslserver', agent)).toBe(false)
    expect(verify(first, 'sslclient', server)).toBe(false)

    const { text } = openssl('x509', '-in', agent, '-noout', '-text')
    expect(text).toContain('Version: 3 (0x2)')
    expect(text).toContain('Signature Algorithm: ecdsa-with-SHA256')
    expect(text).toContain('URI:spiffe://contextd/agent/contextd:scanner')
    expect(text).toMatch(/Basic Constraints: critical\s+CA:FALSE/)
    expect(text).toMatch(/Key Usage: critical\s+Digital Signature\n/)
    expect(openssl('x509', '-in', first, '-noout', '-text').text).toMatch(
      /Basic Constraints: critical\s+CA:TRUE, pathlen:1\s+X509v3 Key Usage: critical\s+Certificate Sign, CRL Sign\n/,
    )

    startRotation(place)
    const { authority, bridges, server: next } = requireTlsFolder(place.folder)
    const second = file('second.pem', pem(authority.certificate))
    const bridge = file('bridge.pem', bridges.map(pem).join(''))
    const renewed = file('renewed.pem', pem(next.certificate))
    expect(verify(second, 'sslserver', renewed)).toBe(true)
    expect(verify(first, 'sslserver', renewed)).toBe(false)
    expect(verify(first, 'sslserver', renewed, '-untrusted', bridge)).toBe(true)
  },
)
