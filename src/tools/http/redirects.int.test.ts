import { describe, expect, test } from 'vitest'

import { egressProbe } from '../../../test/support/http-egress.ts'
import { textOf, webServers, type Listener } from '../../../test/support/web-servers.ts'

const { serve } = webServers()
const { fetch, problem, reports } = egressProbe()
const secretListener: Listener = (_request, response) => void response.end('inner secret')

describe('redirects', () => {
  const redirectTo =
    (location: () => string, status = 302): Listener =>
    (_request, response) => {
      response.writeHead(status, { location: location() })
      response.end('x'.repeat(50_000))
    }

  test('are followed where they lead to what is granted, each with its report', async () => {
    const port: number = await serve((request, response) => {
      if (request.url === '/end') response.end('arrived')
      else redirectTo(() => '/end')(request, response)
    })
    const answer = await fetch(`http://127.0.0.1:${port}/`, [`127.0.0.1:${port}`])
    expect(answer).toMatchObject({ status: 200, url: `http://127.0.0.1:${port}/end` })
    expect(answer.body.toString()).toBe('arrived')
    expect(reports.map(({ status }) => status)).toEqual([302, 200])
  })

  test.each([
    ['an address inside', (inner: number) => `http://127.0.0.2:${inner}/`],
    ['the same in other words', (inner: number) => `http://2130706434:${inner}/`],
    ['a name that leads inside', (inner: number) => `//evil.example:${inner}/`],
    ['another port', (inner: number) => `http://127.0.0.1:${inner}/`],
  ])('to %s are refused', async (_, location) => {
    const inner = await serve(secretListener, '127.0.0.2')
    await serve(secretListener, '127.0.0.1', inner)
    const port = await serve(redirectTo(() => location(inner)))
    const names = { 'evil.example': ['127.0.0.2'] }
    const scopes = [`127.0.0.1:${port}`, `*:${inner}`]
    expect(await problem(`http://127.0.0.1:${port}/`, scopes, names)).toBe('not_granted')
    expect(reports.map(({ outcome }) => outcome)).toEqual(['answered', 'not_granted'])
    const granted = [...scopes, `127.0.0.0/8:${inner}`]
    const leaked = await fetch(`http://127.0.0.1:${port}/`, granted, names)
    expect(leaked.body.toString()).toBe('inner secret')
  })

  test.each(['file:///etc/passwd', 'http://user:pw@127.0.0.1/', 'http://[', 'javascript:1'])(
    'to %s are an error of the server',
    async (location) => {
      const port = await serve(redirectTo(() => location))
      expect(await problem(`http://127.0.0.1:${port}/`, [`127.0.0.1:${port}`])).toBe('broken')
    },
  )

  test('end after five', async () => {
    let hops = 0
    const port = await serve((request, response) => {
      hops++
      if (request.url === '/5') response.end('fifth')
      else redirectTo(() => (request.url === '/endless' ? '/endless' : `/${hops}`))(request, response)
    })
    const scopes = [`127.0.0.1:${port}`]
    expect((await fetch(`http://127.0.0.1:${port}/`, scopes)).body.toString()).toBe('fifth')
    hops = 0
    expect(await problem(`http://127.0.0.1:${port}/endless`, scopes)).toBe('too_many_redirects')
    expect(hops).toBe(6)
  })

  /** What the second server saw of a request that the first one redirected. */
  async function seenAfter(status: number, method: string, sameOrigin: boolean) {
    const seen: { method?: string; headers: Record<string, unknown>; body: string }[] = []
    const see: Listener = async (request, response) => {
      seen.push({ method: request.method!, headers: request.headers, body: await textOf(request) })
      response.end('seen')
    }
    const other = await serve(see)
    const first = await serve((request, response) => {
      if (request.url === '/second') void see(request, response)
      else
        redirectTo(() => (sameOrigin ? '/second' : `http://127.0.0.1:${other}/`), status)(request, response)
    })
    const answer = await fetch(
      {
        url: `http://127.0.0.1:${first}/`,
        method,
        headers: {
          Authorization: 'hush',
          Cookie: 'hush',
          'X-Api-Key': 'hush',
          'Content-Type': 'text/x',
          'Accept-Language': 'de',
        },
        ...(method !== 'GET' && { body: 'hush' }),
      },
      [`127.0.0.1:${first}`, `127.0.0.1:${other}`],
    )
    return { answer, seen }
  }

  test('to another origin carry no header that could be a key', async () => {
    const { seen } = await seenAfter(302, 'GET', false)
    expect(seen[0]!.headers).toMatchObject({ 'accept-language': 'de' })
    expect(JSON.stringify(seen)).not.toContain('hush')
    const same = await seenAfter(302, 'GET', true)
    expect(same.seen[0]!.headers).toMatchObject({
      authorization: 'hush',
      cookie: 'hush',
      'x-api-key': 'hush',
    })
  })

  /** Where a redirect of the first server led that carries this on. */
  async function ledTo(
    place: 'another origin' | 'the same',
    carried: string,
    isGiven: (text: string) => boolean,
  ) {
    const seen: string[] = []
    const see: Listener = (request, response) => {
      seen.push(`${request.url} ${request.headers['user-agent']}`)
      response.end('seen')
    }
    const other = await serve(see)
    const first = await serve((request, response) => {
      const base = place === 'the same' ? '' : `http://127.0.0.1:${other}`
      if (request.url?.startsWith('/second') === true) void see(request, response)
      else redirectTo(() => `${base}/second${carried}`)(request, response)
    })
    const request = { url: `http://127.0.0.1:${first}/`, headers: { 'User-Agent': 'agent hush' } }
    const scopes = [`127.0.0.1:${first}`, `127.0.0.1:${other}`]
    return { answer: await fetch(request, scopes, {}, { isGiven }), seen }
  }
  const isHush = (text: string): boolean => text.includes('hush')

  test('to another origin carry no secret that was meant for the first one', async () => {
    const { answer, seen } = await ledTo('another origin', '?k=hush', isHush)
    expect(seen).toEqual([])
    expect(answer).toMatchObject({
      status: 302,
      unfollowed: 'another origin would get a secret of this call',
    })
    const same = await ledTo('the same', '?k=hush', isHush)
    expect([same.answer.status, same.seen]).toEqual([200, ['/second?k=hush agent hush']])
    const unmarked = await ledTo('another origin', '?k=hush', () => false)
    expect([unmarked.answer.status, unmarked.seen]).toEqual([200, ['/second?k=hush agent hush']])
    const without = await ledTo('another origin', '', isHush)
    expect([without.answer.status, without.seen]).toEqual([
      200,
      [expect.stringMatching(/^\/second contextd/)],
    ])
  })

  test.each([307, 308])('with a body (%s) stay at their origin', async (status) => {
    const { answer, seen } = await seenAfter(status, 'POST', false)
    expect(seen).toEqual([])
    expect(answer).toMatchObject({ status, unfollowed: 'another origin would get the body' })
    expect(answer.headers.location).toMatch(/^http:/)
    const same = await seenAfter(status, 'POST', true)
    expect(same.seen[0]).toMatchObject({ method: 'POST', body: 'hush' })
  })

  test.each([301, 302, 303])('of a POST (%s) become a GET without a body', async (status) => {
    const { seen } = await seenAfter(status, 'POST', true)
    expect(seen[0]).toMatchObject({ method: 'GET', body: '' })
    expect(seen[0]!.headers).not.toHaveProperty('content-type')
  })
})
