import { describe, expect, it } from 'vitest'

import { checkServers, type CheckedServers } from './check-servers.ts'

const file = { path: '/home/me/servers.json', role: 'user' } as const

function check(content: string | object): CheckedServers {
  const text = typeof content === 'string' ? content : JSON.stringify(content, null, 2)
  return checkServers(Buffer.from(text), file)
}

const only = (entry: object, name = 'db'): CheckedServers => check({ mcpServers: { [name]: entry } })

const messages = ({ problems }: CheckedServers): string[] =>
  problems.map(({ path, message }) => `${path}: ${message}`)

describe('a server', () => {
  it('needs only a command', () => {
    const { entries, problems, warnings } = check({ mcpServers: { db: { command: 'db-mcp' } } })
    expect([problems, warnings]).toEqual([[], []])
    expect(entries).toEqual([
      {
        disabled: false,
        server: {
          name: 'db',
          transport: { kind: 'stdio', command: 'db-mcp', args: [], env: {} },
          protocol: 'auto',
          stateless: false,
          prefix: true,
          fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
          file: file.path,
          line: 3,
          role: 'user',
        },
      },
    ])
  })

  it('reads all keys of a command', () => {
    const { entries, warnings } = only({
      description: 'The database',
      type: 'stdio',
      command: 'npx',
      args: ['-y', 'db-mcp'],
      env: { TOKEN: '${secret:db}' },
      cwd: 'work',
      sandbox: { capabilities: ['fs:read:src/**', 'http:fetch:api.example.com'] },
      protocol: '2025-11-25',
      stateless: true,
      transparent: true,
      prefix: false,
      on_change: 'allow',
      timeout_ms: 5000,
      disabled: true,
    })
    expect(warnings).toEqual([])
    expect(entries).toMatchObject([
      {
        disabled: true,
        server: {
          description: 'The database',
          transport: {
            kind: 'stdio',
            command: 'npx',
            args: ['-y', 'db-mcp'],
            env: { TOKEN: '${secret:db}' },
            cwd: 'work',
            sandbox: { capabilities: ['fs:read:src/**', 'http:fetch:api.example.com'] },
          },
          protocol: 'legacy',
          stateless: true,
          transparent: true,
          prefix: false,
          onChange: 'allow',
          timeoutMs: 5000,
        },
      },
    ])
  })

  it('reads all keys of a URL', () => {
    const oauth = { client_id: 'me', client_secret: '${secret:x}', scope: 'read' }
    const transport = (entry: object): unknown => only(entry).entries[0]?.server.transport
    expect(transport({ url: 'https://a.example/mcp', headers: { 'X-Key': 'k' }, oauth })).toEqual({
      kind: 'http',
      url: 'https://a.example/mcp',
      headers: { 'X-Key': 'k' },
      oauth: { clientId: 'me', clientSecret: '${secret:x}', scope: 'read' },
    })
    expect(transport({ url: 'https://a.example/sse', transport: 'sse' })).toMatchObject({ kind: 'sse' })
    expect(transport({ url: 'https://a.example/sse', type: 'sse' })).toMatchObject({ kind: 'sse' })
    expect(transport({ url: 'https://a.example', type: 'streamable-http', transport: 'http' })).toMatchObject(
      {
        kind: 'http',
      },
    )
    expect(transport({ url: '${BASE}/mcp' })).toMatchObject({ url: '${BASE}/mcp' })
    expect(transport({ url: 'https://${HOST:-a.example}:${PORT}/mcp' })).toMatchObject({ kind: 'http' })
  })

  it('has a fingerprint of its entry and location', () => {
    const print = (entry: object, path: string = file.path): string | undefined =>
      checkServers(Buffer.from(JSON.stringify({ mcpServers: { a: entry } })), { path, role: 'user' })
        .entries[0]?.server.fingerprint
    const one = print({ command: 'x', args: ['1'] })
    expect(print({ args: ['1'], command: 'x' })).toBe(one)
    expect(print({ command: 'x', args: ['2'] })).not.toBe(one)
    expect(print({ command: 'x', args: ['1'], disabled: false })).not.toBe(one)
    expect(print({ command: 'x', args: ['1'] }, '/elsewhere/servers.json')).not.toBe(one)
  })
})

describe('contextd itself', () => {
  const servers = {
    mcpServers: { contextd: { command: 'contextd', args: ['mcp', 'serve'] }, db: { command: 'db-mcp' } },
  }

  it('is ignored in the file shared with clients', () => {
    const { entries, problems } = checkServers(Buffer.from(JSON.stringify(servers)), {
      path: '/home/me/project/.mcp.json',
      role: 'project',
    })
    expect(problems).toEqual([])
    expect(entries.map(({ server }) => server.name)).toEqual(['db'])
  })

  it('is an error in our own file', () => {
    expect(messages(check(servers))).toEqual([expect.stringContaining('taken by contextd itself')])
  })
})

describe('problems are reported', () => {
  it.each<[object, string]>([
    [{}, 'mcpServers.db: expected "command" or "url"'],
    [{ command: 'x', url: 'https://x' }, 'mcpServers.db.url: expected "command" or "url", not both'],
    [{ command: '' }, 'mcpServers.db.command: the text is empty'],
    [{ command: 7 }, 'mcpServers.db.command: expected a string, found a number'],
    [{ command: 'x', args: 'a b' }, 'mcpServers.db.args: expected a list, found a string'],
    [{ command: 'x', args: [1] }, 'mcpServers.db.args[0]: expected a string, found a number'],
    [{ command: 'x', env: { A: 1 } }, 'mcpServers.db.env.A: expected a string, found a number'],
    [{ command: 'x', env: { 'A=B': '1' } }, 'mcpServers.db.env["A=B"]: not a variable name'],
    [
      { url: 'https://x', headers: { A: true } },
      'mcpServers.db.headers.A: expected a string, found true or false',
    ],
    [{ url: 'https://x', headers: { 'A:': '' } }, 'mcpServers.db.headers["A:"]: not a header name'],
    [{ url: 'ftp://x' }, 'mcpServers.db.url: expected an http:// or https:// URL'],
    [{ url: 'https://' }, 'mcpServers.db.url: expected an http:// or https:// URL'],
    [{ url: 'https://x', type: 'stdio' }, 'mcpServers.db.type: a "url" does not use stdio'],
    [{ command: 'x', transport: 'http' }, 'mcpServers.db.transport: a "command" uses stdio'],
    [{ url: 'https://x', type: 'sse', transport: 'http' }, 'mcpServers.db.transport: contradicts "type"'],
    [{ url: 'https://x', type: 'htp' }, 'mcpServers.db.type: not a valid value; did you mean "http"?'],
    [
      { command: 'x', protocol: '2026' },
      'mcpServers.db.protocol: not a valid value; valid are auto, 2024-10-07',
    ],
    [{ command: 'x', timeout_ms: 0 }, 'mcpServers.db.timeout_ms: expected at least 1'],
    [{ command: 'x', on_change: 'ask' }, 'mcpServers.db.on_change: not a valid value'],
    [
      { command: 'x', sandbox: { capabilities: ['fs:red:x'] } },
      'mcpServers.db.sandbox.capabilities[0]: a sandboxed server can only have fs:read, fs:write, http:fetch',
    ],
    [
      { command: 'x', sandbox: { capabilities: ['fs:read:../x'] } },
      'mcpServers.db.sandbox.capabilities[0]: the path must not contain ".."',
    ],
  ])('%j', (entry, problem) => {
    const found = messages(only(entry))
    expect(found).toHaveLength(1)
    expect(found[0]?.startsWith(problem)).toBe(true)
  })

  it('all together, with file, line and column, in file order', () => {
    const { problems, entries } = check(
      '{\n  "mcpServers": {\n    "b": {},\n    "a": { "command": 1 },\n    "c": { "command": "x" }\n  }\n}',
    )
    expect(problems.map(({ file: path, line, column }) => [path, line, column])).toEqual([
      [file.path, 3, 10],
      [file.path, 4, 23],
    ])
    expect(entries).toEqual([])
  })

  it.each<[string, string]>([
    ['{', '$: expected a key or "}", found the end of the text'],
    ['[]', '$: expected an object, found a list'],
    ['{}', 'mcpServers: expected an object, found nothing'],
    ['{"servers": {}}', 'mcpServers: expected an object, found nothing'],
    ['{"mcpServers": {"a": {"command": "x"}, "a": {"command": "y"}}}', '$: the key "a" is given twice'],
  ])('a file that contains %s', (text, problem) => {
    expect(messages(check(text))).toEqual([problem])
  })

  it('a file that is not UTF-8', () => {
    const { problems } = checkServers(Buffer.from([0x22, 0xff, 0x22]), file)
    expect(problems).toMatchObject([{ message: 'is not UTF-8 text' }])
  })
})

describe('a name', () => {
  it.each(['a', 'a.b', 'a-b', 'A_9', 'x'.repeat(40), '1', 'constructor'])('%s is valid', (name) => {
    expect(only({ command: 'x' }, name).entries.map(({ server }) => server.name)).toEqual([name])
  })

  it.each([
    ['', '1 to 40 letters'],
    ['x'.repeat(41), '1 to 40 letters'],
    ['a b', '1 to 40 letters'],
    ['a/b', '1 to 40 letters'],
    ['ä', '1 to 40 letters'],
    ['a__b', 'side by side'],
    ['a._b', 'side by side'],
    ['a..b', 'side by side'],
    ['a_', 'does not end'],
    ['a.', 'does not end'],
    ['contextd', 'taken by contextd itself'],
  ])('%j is invalid', (name, problem) => {
    expect(messages(only({ command: 'x' }, name))).toEqual([expect.stringContaining(problem)])
  })

  it('__proto__ is invalid, whatever its value', () => {
    for (const entry of ['{"command": "x"}', '7']) {
      expect(messages(check(`{"mcpServers": {"__proto__": ${entry}}}`))).toEqual([
        expect.stringContaining('mcpServers.__proto__: a server name'),
      ])
    }
  })

  it('conflicts with another that is listed the same way', () => {
    const both = { 'a.b': { command: 'x' }, a_b: { command: 'y' } }
    expect(messages(check({ mcpServers: both }))).toEqual([
      'mcpServers.a_b: "a_b" and "a.b" cannot both be used: their tools would have the same names',
    ])
    expect(check({ mcpServers: { ...both, a_b: undefined, 'a-b': { command: 'y' } } }).entries).toHaveLength(
      2,
    )
  })
})

describe('keys without effect cause warnings', () => {
  it('for unknown keys, with a suggestion', () => {
    const { warnings, entries } = check(
      JSON.stringify({
        inputs: [],
        mcpServers: {
          a: { command: 'x', arg: [], timeout: 3, disabledTools: ['y'], sandbox: { capability: [] } },
          b: { url: 'https://b.example', oauth: { clientId: 'z' } },
        },
      }),
    )
    expect(entries).toHaveLength(2)
    const said = warnings.map((warning) => warning.replace(/^\/home\/me\/servers\.json:1:\d+: /, ''))
    expect(said).toEqual([
      'inputs: contextd does not know the key "inputs"',
      'mcpServers.a.arg: contextd does not know the key "arg"; did you mean "args"?',
      'mcpServers.a.timeout: contextd does not know the key "timeout"; did you mean "timeout_ms"?',
      'mcpServers.a.disabledTools: contextd does not know the key "disabledTools"',
      'mcpServers.a.sandbox.capability: contextd does not know the key "capability"; did you mean "capabilities"?',
      'mcpServers.b.oauth.clientId: contextd does not know the key "clientId"; did you mean "client_id"?',
      'mcpServers.b.oauth: has no effect without "client_id"',
    ])
  })

  it('for keys of the other kind of server', () => {
    const { warnings } = check({
      mcpServers: {
        a: { command: 'x', headers: {} },
        b: { url: 'https://b.example', args: [], env: {}, cwd: '/', sandbox: {} },
      },
    })
    expect(warnings.map((warning) => warning.split(': ')[1])).toEqual(
      ['a.headers', 'b.args', 'b.env', 'b.cwd', 'b.sandbox'].map((key) => `mcpServers.${key}`),
    )
  })
})
