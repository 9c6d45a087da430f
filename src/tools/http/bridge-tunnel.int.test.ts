import { createServer as createTlsServer } from 'node:https'
import { connect as connectTls } from 'node:tls'

import { describe, expect, test } from 'vitest'

import { makeAuthority } from '../../../test/support/certificates.ts'
import { askTunnel, bridgeProbe, closed, openTunnel } from '../../../test/support/http-bridge.ts'
import { webServers } from '../../../test/support/web-servers.ts'

const { serve, serveRaw, listen } = webServers()
const { open, reports } = bridgeProbe()
const authority = makeAuthority()
const names = { 'app.example': ['127.0.0.1'] }
const scopesFor = (port: number): string[] => [`app.example:${port}`, `127.0.0.1:${port}`]

describe('tunnels', () => {
  test('to granted hosts carry what the program and the host say to each other', async () => {
    const port = await listen(
      createTlsServer(authority.issue('app.example'), (_request, response) => response.end('private')),
    )
    const bridge = await open(scopesFor(port), names)
    const answerOver = async (servername: string): Promise<string> => {
      const tunnel = connectTls({
        socket: await openTunnel(bridge, `app.example:${port}`),
        servername,
        ca: authority.ca,
      })
      return new Promise((resolve, reject) => {
        let text = ''
        tunnel.on('error', reject)
        tunnel.on('data', (chunk) => (text += String(chunk)))
        tunnel.on('end', () => resolve(text))
        tunnel.write('GET / HTTP/1.1\r\nHost: app.example\r\nConnection: close\r\n\r\n')
      })
    }
    expect(await answerOver('app.example')).toContain('private')
    await expect(answerOver('other.example')).rejects.toMatchObject({ code: 'ERR_TLS_CERT_ALTNAME_INVALID' })
    await bridge.close()
    expect(reports[0]).toMatchObject({
      method: 'CONNECT',
      host: 'app.example',
      port,
      status: 200,
      outcome: 'answered',
    })
    expect(reports[0]!.receivedBytes).toBeGreaterThan(500)
  })

  test('pass on the end of one side while the other still speaks', async () => {
    const port = await serveRaw((socket) => {
      let size = 0
      socket.on('data', (chunk) => (size += chunk.length))
      socket.on('end', () => socket.end(`${size} bytes ${'y'.repeat(2_000_000)}`))
    })
    const bridge = await open(scopesFor(port), names)
    const tunnel = await openTunnel(bridge, `app.example:${port}`)
    let answer = ''
    tunnel.on('data', (chunk) => (answer += String(chunk)))
    tunnel.end('x'.repeat(1_000_000))
    await closed(tunnel)
    expect(answer).toMatch(/^1000000 bytes y+$/)
    expect(answer.length).toBe('1000000 bytes '.length + 2_000_000)
  })

  test.each([
    'evil.example:443',
    '127.0.0.1:PORT',
    'app.example:22',
    'inner.granted.example:PORT',
    '[::1]:443',
  ])('to %s get 403 and the reason', async (template) => {
    const port = await serve((_request, response) => response.end())
    const bridge = await open(['app.example', `*.granted.example:${port}`], {
      'inner.granted.example': ['127.0.0.1'],
    })
    const answer = await askTunnel(bridge, template.replace('PORT', String(port)))
    expect(answer).toMatchObject({ status: 403, text: expect.stringMatching(/^contextd: /) as string })
  })

  test.each(['app.example', 'app.example:0', 'http://app.example/', 'user@app.example:443'])(
    'to %s are none',
    async (authority) => {
      expect(await askTunnel(await open(['*'], names), authority)).toMatchObject({ status: 400 })
    },
  )

  test('go to the address that was checked, not to what the name says next', async () => {
    const port = await serveRaw((socket) => socket.end('never'))
    let times = 0
    const lookup = async (): Promise<string[]> => (times++ === 0 ? ['127.0.0.2'] : ['127.0.0.1'])
    const bridge = await open([`evil.example:${port}`, `127.0.0.2:${port}`], {}, { lookup })
    // Nothing listens at 127.0.0.2.
    expect(await askTunnel(bridge, `evil.example:${port}`)).toMatchObject({ status: 502 })
    expect(times).toBe(1)
    expect(await askTunnel(bridge, `evil.example:${port}`)).toMatchObject({ status: 403 })
  })
})
