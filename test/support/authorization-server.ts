import { createHash, randomBytes } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'

import type { JsonObject } from '@contextd/shared/json/value'
import { discovered, serveByHand } from './http-upstreams.ts'
import { textOf, type WebServers } from './web-servers.ts'

export interface AuthorizationServer {
  readonly origin: string
  /** All received requests. */
  readonly requests: {
    readonly path: string
    readonly headers: IncomingMessage['headers']
    readonly body: string
  }[]
  /** Valid tokens with their scopes. */
  readonly tokens: Map<string, string>
  /** Valid refresh tokens; each can be used once. */
  readonly refreshTokens: Set<string>
  /** The declared lifetime of a token in seconds. */
  lifetime: number | undefined
}

/** A small authorization server that grants every request, but enforces the protocol: PKCE, single use, one client. */
export async function serveAuthorization(web: WebServers): Promise<AuthorizationServer> {
  const codes = new Map<string, { challenge: string; client: string; redirect: string; scope: string }>()
  const clients = new Map<string, string[]>()
  const it: AuthorizationServer = {
    origin: '',
    requests: [],
    tokens: new Map(),
    refreshTokens: new Set(),
    lifetime: 3600,
  }

  const issue = (scope: string): JsonObject => {
    const [access, refresh] = [randomBytes(9).toString('hex'), randomBytes(9).toString('hex')]
    it.tokens.set(access, scope)
    it.refreshTokens.add(refresh)
    const ends = it.lifetime !== undefined && { expires_in: it.lifetime }
    return { access_token: access, token_type: 'Bearer', refresh_token: refresh, scope, ...ends }
  }
  const grant = (form: URLSearchParams): JsonObject | undefined => {
    if (form.get('grant_type') === 'refresh_token') {
      return it.refreshTokens.delete(form.get('refresh_token') ?? '') ? issue('renewed') : undefined
    }
    const code = codes.get(form.get('code') ?? '')
    codes.delete(form.get('code') ?? '')
    const proof = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    const isRight =
      code?.challenge === proof &&
      code.client === form.get('client_id') &&
      code.redirect === form.get('redirect_uri')
    return isRight ? issue(code.scope) : undefined
  }

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<unknown> => {
    const url = new URL(request.url!, it.origin)
    const body = await textOf(request)
    it.requests.push({ path: url.pathname, headers: request.headers, body })
    const json = (value: JsonObject, status = 200): unknown =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
    switch (url.pathname) {
      case '/.well-known/oauth-authorization-server':
        return json({
          issuer: it.origin,
          authorization_endpoint: `${it.origin}/authorize`,
          token_endpoint: `${it.origin}/token`,
          registration_endpoint: `${it.origin}/register`,
          response_types_supported: ['code'],
          code_challenge_methods_supported: ['S256'],
          token_endpoint_auth_methods_supported: ['none'],
        })
      case '/register': {
        const client = randomBytes(6).toString('hex')
        const asked = JSON.parse(body) as { redirect_uris: string[] }
        clients.set(client, asked.redirect_uris)
        return json({ ...asked, client_id: client }, 201)
      }
      case '/authorize': {
        const ask = (name: string): string => url.searchParams.get(name) ?? ''
        const code = randomBytes(9).toString('hex')
        const [client, redirect] = [ask('client_id'), ask('redirect_uri')]
        if (clients.has(client) && !clients.get(client)!.includes(redirect)) return json({}, 400)
        codes.set(code, { challenge: ask('code_challenge'), client, redirect, scope: ask('scope') })
        const back = new URL(redirect)
        back.searchParams.set('code', code)
        back.searchParams.set('state', ask('state'))
        return response.writeHead(302, { location: back.href }).end()
      }
      case '/token': {
        const tokens = grant(new URLSearchParams(body))
        return tokens === undefined ? json({ error: 'invalid_grant' }, 400) : json(tokens)
      }
      default:
        return response.writeHead(404).end()
    }
  }
  const port = await web.serve(answer)
  return Object.assign(it, { origin: `http://127.0.0.1:${port}` })
}

export interface Protected {
  readonly url: string
  readonly as: AuthorizationServer
  readonly seen: IncomingHttpHeaders[]
}

/** A server that requires a token of the authorization server, and the scope `write` for `write`. */
export async function serveProtected(web: WebServers): Promise<Protected> {
  const as = await serveAuthorization(web)
  const seen: IncomingHttpHeaders[] = []
  const metadata = '/.well-known/oauth-protected-resource/mcp'
  let url = ''
  const mcp = await serveByHand(web, ({ message, request, response, reply }) => {
    seen.push(request.headers)
    const scope = as.tokens.get((request.headers.authorization ?? '').replace('Bearer ', ''))
    const challenge = (status: number, details: string): unknown =>
      response
        .writeHead(status, {
          'www-authenticate': `Bearer resource_metadata="${new URL(metadata, url).href}", ${details}`,
        })
        .end()
    if (scope === undefined) return challenge(401, 'scope="read"')
    if (message.method === 'server/discover') return reply(discovered)
    const isWrite = (message.params as { name?: string }).name === 'write'
    if (isWrite && !scope.includes('write'))
      return challenge(403, 'error="insufficient_scope", scope="write"')
    return reply({ resultType: 'complete', content: [], scope })
  })
  // The metadata is at the address of the server itself, so one listener serves both.
  const port = await web.serve(async (request, response) => {
    if (request.url === metadata) {
      response.writeHead(200, { 'content-type': 'application/json' })
      return response.end(JSON.stringify({ resource: url, authorization_servers: [as.origin] }))
    }
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { host: _, ...headers } = request.headers
    const answer = await fetch(mcp, {
      method: request.method!,
      headers: headers as Record<string, string>,
      ...(request.method === 'POST' && { body: Buffer.concat(chunks) }),
    })
    response.writeHead(answer.status, Object.fromEntries(answer.headers))
    return response.end(await answer.text())
  })
  url = `http://127.0.0.1:${port}/mcp`
  return { url, as, seen }
}
