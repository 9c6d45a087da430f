import { readFileSync } from 'node:fs'

import { expect, it } from 'vitest'

import { serverKeys, serversJsonSchema } from './server-schema.ts'

const read = (path: string): string => readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8')

it('matches schema/servers.schema.json', () => {
  expect(read('schema/servers.schema.json')).toBe(`${JSON.stringify(serversJsonSchema(), null, 2)}\n`)
})

it('matches the keys in docs/reference/servers.md', () => {
  const rows = [...read('docs/reference/servers.md').matchAll(/^\| ((?:`[a-z][a-z_.]*`(?:, )?)+) \|/gm)]
  const documented = rows.flatMap(([, keys = '']) => [...keys.matchAll(/`([^`]+)`/g)].map(([, key]) => key))
  const { server, sandbox, oauth } = serverKeys
  const inner = [...sandbox.map((key) => `sandbox.${key}`), ...oauth.map((key) => `oauth.${key}`)]
  const known = [...server.filter((key) => key !== 'oauth'), ...inner]
  expect(new Set(documented)).toEqual(new Set(known))
})
