import { expect, it } from 'vitest'

import { identityOf, pinnedServer } from './upstream-pins.ts'

it('identifies a server by its program or URL', () => {
  const stdio = (command: string, args: string[]) =>
    identityOf({ transport: { kind: 'stdio', command, args, env: { A: command } } })
  expect(stdio('node', ['a.js'])).toBe(stdio('node', ['a.js']))
  expect(stdio('node', ['a.js'])).not.toBe(stdio('node', ['b.js']))
  expect(stdio('node a.js', [])).not.toBe(stdio('node', ['a.js']))
  const http = (url: string, kind: 'http' | 'sse' = 'http') =>
    identityOf({ transport: { kind, url, headers: {} } })
  expect(http('https://a.example/mcp')).toBe(http('https://a.example/mcp', 'sse'))
  expect(http('https://a.example/mcp')).not.toBe(http('https://b.example/mcp'))
})

it('uses on_change of the entry', () => {
  const transport = { kind: 'stdio', command: 'x', args: [], env: {} } as const
  expect(pinnedServer({ name: 'calc', role: 'user', transport }, '/p', 'hold')).toMatchObject({
    server: 'calc',
    project: '',
    onChange: 'hold',
  })
  expect(
    pinnedServer({ name: 'calc', role: 'project', transport, onChange: 'allow' }, '/p', 'hold'),
  ).toMatchObject({
    project: '/p',
    onChange: 'allow',
  })
})
