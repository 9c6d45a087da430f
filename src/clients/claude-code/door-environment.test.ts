import { expect, it, test } from 'vitest'

import { doorUrl } from '../model-door/door-url.ts'
import { describeBypass, findBypass } from './door-environment.ts'

const key = 'ctxm_0123456789abcdef'
const door = { port: 7391, isKey: (one: string) => one === key }
const ANTHROPIC_BASE_URL = doorUrl({ port: 7391, key, provider: 'anthropic' })
const proxy = 'http://proxy.example:8080'

// What the client does with each of these was observed with Claude Code 2.1.325.
it.each([
  {},
  { CLAUDE_CODE_USE_BEDROCK: '0' },
  { CLAUDE_CODE_USE_VERTEX: 'false' },
  { CLAUDE_CODE_USE_POWERSHELL_TOOL: '1' },
  { HTTPS_PROXY: proxy, NO_PROXY: 'localhost,127.0.0.1' },
  { HTTPS_PROXY: proxy, no_proxy: 'localhost 127.0.0.1', NO_PROXY: 'example.com' },
  { HTTP_PROXY: proxy, NO_PROXY: '*' },
  { HTTP_PROXY: '' },
])('routes through the door with %j', (env) => {
  expect(findBypass({ ANTHROPIC_BASE_URL, ...env }, door)).toBeUndefined()
})

it.each([
  [{ ANTHROPIC_BASE_URL: undefined }, 'no-url'],
  [{ ANTHROPIC_BASE_URL: '' }, 'no-url'],
  [{ ANTHROPIC_BASE_URL: 'https://gateway.example' }, 'other-url'],
  [{ ANTHROPIC_BASE_URL: doorUrl({ port: 7399, key, provider: 'anthropic' }) }, 'port'],
  [{ ANTHROPIC_BASE_URL: doorUrl({ port: 7391, key: `${key}0`, provider: 'anthropic' }) }, 'key'],
  [{ CLAUDE_CODE_USE_BEDROCK: '1' }, 'provider'],
  [{ CLAUDE_CODE_USE_VERTEX: 'true' }, 'provider'],
  [{ CLAUDE_CODE_USE_FOUNDRY: '1' }, 'provider'],
  [{ CLAUDE_CODE_USE_MANTLE: '1' }, 'provider'],
  [{ CLAUDE_CODE_USE_ANTHROPIC_AWS: '1' }, 'provider'],
  [{ HTTP_PROXY: proxy }, 'proxy'],
  [{ https_proxy: proxy }, 'proxy'],
  [{ ALL_PROXY: proxy, NO_PROXY: 'example.com' }, 'proxy'],
  [{ HTTPS_PROXY: proxy, NO_PROXY: '127.0.0.1:7' }, 'proxy'],
])('bypasses the door with %j', (env, kind) => {
  const found = findBypass({ ANTHROPIC_BASE_URL, ...env }, door)
  expect(found).toMatchObject({ kind })
})

test('a NO_PROXY exception applies only if no other variable overrides it', () => {
  const env = { ANTHROPIC_BASE_URL, HTTPS_PROXY: proxy, NO_PROXY: '127.0.0.1' }
  expect(findBypass({ ...env, no_proxy: 'example.com' }, door)).toMatchObject({ kind: 'proxy' })
  expect(findBypass({ ...env, no_proxy: '' }, door)).toBeUndefined()
})

test('the description names the variable and the fix', () => {
  expect(describeBypass({ kind: 'provider', variable: 'CLAUDE_CODE_USE_BEDROCK' })).toMatch(
    /^CLAUDE_CODE_USE_BEDROCK .*--no-door/,
  )
  expect(describeBypass({ kind: 'proxy', variable: 'HTTPS_PROXY' })).toMatch(/^HTTPS_PROXY .*NO_PROXY/)
  expect(describeBypass({ kind: 'no-url', variable: 'ANTHROPIC_BASE_URL' })).toContain('`ctxd init`')
})
