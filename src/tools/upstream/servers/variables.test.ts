import { describe, expect, it } from 'vitest'

import { CodedError } from '../../../core/errors/errors.ts'
import type { HttpTransport, StdioTransport, UpstreamServer } from '../server.ts'
import { checkServers } from './check-servers.ts'
import { missingIn, resolveServer } from './variables.ts'

const sources = {
  env: { HOME: '/home/me', EMPTY: '', LOOP: '${HOME}', BAD: 'a\nhidden', ZERO: 'a\0hidden', TOKEN: 't' },
  secret: (name: string) => ({ key: 'k-value', odd: '$&${HOME}' })[name],
}

function server(
  entry: object,
  path = '/home/me/config/servers.json',
  role: 'user' | 'project' = 'user',
): UpstreamServer {
  const { entries } = checkServers(Buffer.from(JSON.stringify({ mcpServers: { db: entry } })), { path, role })
  if (entries[0] === undefined) throw new Error('not a server')
  return entries[0].server
}

const stdio = (entry: object): StdioTransport =>
  resolveServer(server({ command: 'x', ...entry }), sources).transport as StdioTransport
const arg = (text: string): string | undefined => stdio({ args: [text] }).args[0]

function why(entry: object): unknown {
  try {
    resolveServer(server(entry), sources)
  } catch (error) {
    if (error instanceof CodedError && error.code === 'SERVER_UNAVAILABLE') {
      expect(JSON.stringify(error.toObject())).not.toMatch(/hidden|k-value/)
      return error.details.why
    }
    throw error
  }
  return undefined
}

describe('a text', () => {
  it.each([
    ['plain $HOME $ {HOME}', 'plain $HOME $ {HOME}'],
    ['${HOME}/x:${HOME}', '/home/me/x:/home/me'],
    ['${NONE:-there}', 'there'],
    ['${EMPTY:-there}', 'there'],
    ['${HOME:-there}', '/home/me'],
    ['${NONE:-}', ''],
    ['${NONE:-a:-b $5}', 'a:-b $5'],
    ['<${EMPTY}>', '<>'],
    ['Bearer ${secret:key}', 'Bearer k-value'],
    // Values are inserted literally: they are neither expanded again nor used as replacement patterns.
    ['${LOOP}', '${HOME}'],
    ['${secret:odd}', '$&${HOME}'],
    ['$${HOME} $${secret:key}', '${HOME} ${secret:key}'],
  ])('%s becomes %s', (text, filled) => {
    expect(arg(text)).toBe(filled)
  })

  it.each([
    ['${NONE}', 'the variable NONE is not set'],
    ['${secret:none}', 'the secret none is not set (ctxd secret set none)'],
    ['${constructor}', 'the variable constructor is not set'],
    [
      '${NONE} ${secret:none} ${NONE}',
      'the variable NONE is not set; the secret none is not set (ctxd secret set none)',
    ],
    ['${input:hidden}', 'it contains a ${…} that is neither ${NAME}, ${NAME:-default} nor ${secret:NAME}'],
    [
      '${secret:hidden and more}',
      'it contains a ${…} that is neither ${NAME}, ${NAME:-default} nor ${secret:NAME}',
    ],
    ['${NONE:-${HOME}}', 'it contains a ${…} that is neither ${NAME}, ${NAME:-default} nor ${secret:NAME}'],
    ['${', 'it contains a ${…} that is neither ${NAME}, ${NAME:-default} nor ${secret:NAME}'],
  ])('%s cannot be expanded: %s', (text, problem) => {
    expect(why({ command: 'x', args: [text] })).toBe(problem)
    expect(missingIn(server({ command: 'x', args: [text] }), sources).join('; ')).toBe(problem)
  })
})

describe('a server', () => {
  it('is expanded in all fields and otherwise unchanged', () => {
    const declared = server({
      command: '${HOME}/bin',
      args: ['${TOKEN}'],
      env: { '${TOKEN}': '${secret:key}' },
      cwd: '${HOME}',
      sandbox: {},
    })
    expect(resolveServer(declared, sources)).toEqual({
      ...declared,
      transport: {
        kind: 'stdio',
        command: '/home/me/bin',
        args: ['t'],
        env: { '${TOKEN}': 'k-value' },
        cwd: '/home/me',
        sandbox: { capabilities: [] },
      },
    })
    expect(missingIn(declared, sources)).toEqual([])
    const oauth = { client_id: '${TOKEN}', client_secret: '${secret:key}', scope: '${TOKEN}' }
    const remote = server({ url: 'https://${TOKEN}.example', headers: { A: 'Bearer ${secret:key}' }, oauth })
    expect(resolveServer(remote, sources).transport).toEqual({
      kind: 'http',
      url: 'https://t.example',
      headers: { A: 'Bearer k-value' },
      oauth: { clientId: 't', clientSecret: 'k-value', scope: 't' },
    } satisfies HttpTransport)
  })

  it('has a cwd relative to its file or project', () => {
    const folder = (path: string, role: 'user' | 'project'): unknown =>
      (resolveServer(server({ command: 'x', cwd: 'sub' }, path, role), sources).transport as StdioTransport)
        .cwd
    expect(folder('/home/me/config/servers.json', 'user')).toBe('/home/me/config/sub')
    expect(folder('/work/.contextd/servers.json', 'project')).toBe('/work/sub')
    expect(folder('/work/.mcp.json', 'project')).toBe('/work/sub')
    expect(stdio({})).not.toHaveProperty('cwd')
  })

  it.each<[object, string]>([
    [{ url: '${HOME}' }, 'its url is not an http:// or https:// URL'],
    [
      { url: 'https://a.example', headers: { A: '${BAD}' } },
      'its header A contains characters that are not allowed in a header',
    ],
    [{ command: 'x', env: { A: '${ZERO}' } }, 'one of its variables contains a null byte'],
    [{ command: 'x', args: ['${ZERO}'] }, 'one of its variables contains a null byte'],
    [{ command: '${EMPTY}' }, 'its command or cwd is empty after its variables are expanded'],
  ])('%j is refused without revealing values', (entry, problem) => {
    expect(why(entry)).toBe(problem)
  })
})
