import { expect, it, test } from 'vitest'

import { createProxyChoice, passwordsIn } from './proxy.ts'

const anthropic = 'https://api.anthropic.com'
const proxy = 'http://proxy.example:8080'

const proxyOf = (env: NodeJS.ProcessEnv, provider = anthropic, setting = ''): string | undefined => {
  const choice = createProxyChoice(setting, env)(new URL(provider))
  return choice && (choice.url?.href ?? `not usable: ${choice.from}`)
}

it.each([
  [{ HTTPS_PROXY: proxy }, `${proxy}/`],
  [{ https_proxy: proxy }, `${proxy}/`],
  [{ https_proxy: proxy, HTTPS_PROXY: 'http://other.example' }, `${proxy}/`],
  [{ ALL_PROXY: proxy }, `${proxy}/`],
  [{ HTTPS_PROXY: proxy, ALL_PROXY: 'http://other.example' }, `${proxy}/`],
  [{ HTTP_PROXY: proxy }, `${proxy}/`],
  [{ HTTP_PROXY: 'http://other.example', ALL_PROXY: proxy }, `${proxy}/`],
  [{ HTTPS_PROXY: 'proxy.example:8080' }, `${proxy}/`],
  [{ HTTPS_PROXY: ' https://proxy.example:8080 ' }, 'https://proxy.example:8080/'],
  [{ HTTPS_PROXY: '', https_proxy: ' ' }, undefined],
  [{}, undefined],
  [{ ALL_PROXY: 'socks5://proxy.example' }, 'not usable: ALL_PROXY'],
  [{ HTTPS_PROXY: 'http://' }, 'not usable: HTTPS_PROXY'],
  [{ HTTPS_PROXY: 'http://user:%zz@proxy.example' }, 'not usable: HTTPS_PROXY'],
])('the environment %j', (env, expected) => {
  expect(proxyOf(env)).toBe(expected)
})

it.each([
  'https://localhost:8443',
  'https://127.0.0.1',
  'https://127.1.2.3:8443',
  'https://[::1]:8443',
  'http://127.0.0.1:11434',
])('never for this machine: %s', (provider) => {
  expect(proxyOf({ HTTPS_PROXY: proxy, ALL_PROXY: proxy, HTTP_PROXY: proxy }, provider)).toBeUndefined()
  expect(proxyOf({}, provider, proxy)).toBeUndefined()
})

it.each([
  ['*', anthropic],
  ['api.anthropic.com', anthropic],
  ['API.Anthropic.com', anthropic],
  ['anthropic.com', anthropic],
  ['.anthropic.com', anthropic],
  ['*.anthropic.com', anthropic],
  ['localhost, other.example anthropic.com', anthropic],
  ['anthropic.com:443', anthropic],
  ['gateway.example:8443', 'https://gateway.example:8443'],
  ['10.1.2.3', 'https://10.1.2.3'],
  ['10.0.0.0/8', 'https://10.1.2.3:8443'],
  ['10.1.2.3:8443', 'https://10.1.2.3:8443'],
  ['fd00::1', 'https://[fd00::1]'],
  ['[fd00::1]:8443', 'https://[fd00::1]:8443'],
  ['fd00::/8', 'https://[fd00::1]:8443'],
])('NO_PROXY %s includes %s', (list, provider) => {
  expect(proxyOf({ HTTPS_PROXY: proxy, NO_PROXY: list }, provider)).toBeUndefined()
  expect(proxyOf({ HTTPS_PROXY: proxy, no_proxy: list, NO_PROXY: 'other.example' }, provider)).toBeUndefined()
  expect(proxyOf({ NO_PROXY: list }, provider, proxy)).toBeUndefined()
})

it.each([
  ['', anthropic],
  ['.', anthropic],
  ['thropic.com', anthropic],
  ['api.anthropic.com.example', anthropic],
  ['eu.api.anthropic.com', anthropic],
  ['anthropic.com:8443', anthropic],
  ['gateway.example:443', 'https://gateway.example:8443'],
  ['10.1.2.3', 'https://10.1.2.30'],
  ['1.2.3', 'https://10.1.2.3'],
  ['10.0.0.0/16', 'https://10.1.2.3'],
  ['[fd00::1]:443', 'https://[fd00::1]:8443'],
])('NO_PROXY %j does not include %s', (list, provider) => {
  expect(proxyOf({ HTTPS_PROXY: proxy, NO_PROXY: list }, provider)).toBe(`${proxy}/`)
})

test('the setting overrides the environment', () => {
  const env = { HTTPS_PROXY: 'http://other.example' }
  expect(proxyOf(env, anthropic, proxy)).toBe(`${proxy}/`)
  expect(proxyOf(env, anthropic, 'none')).toBeUndefined()
  expect(proxyOf(env, anthropic, '')).toBe('http://other.example/')
})

test('returns passwords in both spellings', () => {
  const choice = createProxyChoice('', { HTTPS_PROXY: 'http://me:p%40ss@proxy.example' })(new URL(anthropic))
  expect(passwordsIn(choice!)).toEqual(['p%40ss', 'p@ss'])
})
