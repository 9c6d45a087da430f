import { describe, expect, it } from 'vitest'

import { doorObstacle, doorUrl, readDoorUrl } from './door-url.ts'

const door = { port: 7391, key: 'ctxm_01234567_89-ab_cdef', provider: 'anthropic' }

it('round-trips', () => {
  expect(doorUrl(door)).toBe('http://127.0.0.1:7391/model/ctxm_01234567_89-ab_cdef/anthropic')
  expect(readDoorUrl(doorUrl(door))).toEqual(door)
  expect(readDoorUrl(`${doorUrl(door)}/`)).toEqual(door)
})

it.each([
  undefined,
  '',
  'https://api.anthropic.com',
  'http://127.0.0.1:7391',
  'http://127.0.0.1:7391/model/ctxm_01234567_89-ab_cdef',
  'http://127.0.0.1.example.com:7391/model/ctxm_01234567_89-ab_cdef/anthropic',
  'http://127.0.0.1:7391@example.com/model/ctxm_01234567_89-ab_cdef/anthropic',
  'http://example.com/http://127.0.0.1:7391/model/ctxm_01234567_89-ab_cdef/anthropic',
  'http://127.0.0.1:7391/model/ctxm_01234567_89-ab_cdef/anthropic/../../..',
  'http://127.0.0.1:7391/model/ctxm_01234567_89-ab_cdef/anthropic?x=y',
  'http://127.0.0.1:7391/model/ctxm_01234567_89-ab_cdef/anthropic\n',
  ' http://127.0.0.1:7391/model/ctxm_01234567_89-ab_cdef/anthropic',
  'http://localhost:7391/model/ctxm_01234567_89-ab_cdef/anthropic',
])('%j is not the door', (url) => {
  expect(readDoorUrl(url)).toBeUndefined()
})

describe('the configuration', () => {
  const http = { host: '127.0.0.1', port: 7391, allowed_hosts: [], session_idle_minutes: 30, tls: false }

  it.each([http, { ...http, host: '0.0.0.0' }, { ...http, port: 80 }])('%j has a door', (one) => {
    expect(doorObstacle(one)).toBeUndefined()
  })

  it.each([
    [{ ...http, tls: true }, 'http.tls'],
    [{ ...http, port: 0 }, 'http.port'],
    [{ ...http, host: '10.0.0.7' }, '10.0.0.7'],
  ])('%j has no door', (one, why) => {
    expect(doorObstacle(one)).toContain(why)
  })
})
