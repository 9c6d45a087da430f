import { readdirSync, readFileSync } from 'node:fs'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { join } from 'node:path'

import { onTestFinished } from 'vitest'

import { composeRuntime, type Runtime } from '../../src/compose.ts'
import { serveHttp, type HttpHandle } from '../../src/servers/http/server.ts'
import { createWorkspaces } from '../../src/servers/sessions/workspaces.ts'
import { createAgentInstances } from '../../src/stages/identity/agent-instances.ts'
import { startModelProvider, type ModelProvider } from './model-provider.ts'
import { makeTempHome, type TempHome } from './temp-home.ts'

export interface DoorFixture {
  readonly home: TempHome
  readonly runtime: Runtime
  readonly http: HttpHandle
  readonly provider: ModelProvider
  readonly key: { readonly id: string; readonly secret: string }
  /** The base URL of a client. */
  readonly base: (provider?: string, key?: string) => string
  /** Lines of the log. */
  readonly logged: readonly string[]
}

/** contextd with its HTTP server, a model provider behind it, and a key. */
export async function startModelDoor({
  host = '127.0.0.1',
  config = '',
  rules,
  env = {},
}: {
  /** The listening address; beyond loopback it needs an agent token, which is created. */
  host?: string
  config?: string
  rules?: object
  env?: NodeJS.ProcessEnv
} = {}): Promise<DoorFixture> {
  const provider = await startModelProvider()
  const home = makeTempHome()
  const addresses = ['anthropic', 'openai', 'gemini'].map((name) => `${name} = "${provider.url}"\n`).join('')
  home.write('config/config.toml', `[http]\nhost = "${host}"\nport = 0\n[model]\n${addresses}${config}`)
  if (rules !== undefined) home.write('config/rules.json', rules)
  const logged: string[] = []
  const log = (...line: unknown[]): void => void logged.push(JSON.stringify(line))
  const open = (cwd: string): Promise<Runtime> => composeRuntime({ env: { ...home.env, ...env }, cwd, log })
  const runtime = await open(home.project)
  if (host !== '127.0.0.1') runtime.tokens.create('main', '')
  const workspaces = createWorkspaces({ own: runtime, open })
  const http = await serveHttp(runtime, { workspaces, graceMs: 50 })
  onTestFinished(async () => {
    await http.close()
    await workspaces.close()
    await runtime.close()
    home.remove()
  })
  const key = runtime.modelKeys.create('claude-code')
  const root = http.url.replace(/mcp$/, 'model/')
  return {
    home,
    runtime,
    http,
    provider,
    key,
    base: (name = 'anthropic', secret = key.secret) => `${root}${secret}/${name}`,
    logged,
  }
}

/** Attests like a hook of the client. */
export function attest(
  { runtime: { store } }: DoorFixture,
  session: string,
  instance: string,
  agent: string,
): void {
  createAgentInstances({ store, tenant: 'local', project: '' }, Date.now).record(session, instance, agent)
}

export interface ModelReply {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly rawHeaders: readonly string[]
  readonly text: string
  /** The connection broke before the end. */
  readonly isBroken: boolean
}

export interface ModelAsk {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer | object
  readonly signal?: AbortSignal
  /** Replaces the path in the URL, unchanged. */
  readonly path?: string
  readonly onData?: (text: string) => void
}

/** Sends a request exactly as given. */
export function askModel(url: string, ask: ModelAsk = {}): Promise<ModelReply> {
  const { method = 'POST', headers = {}, body, signal, path, onData } = ask
  const bytes =
    body === undefined || typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body)
  return new Promise((resolve, reject) => {
    const target = new URL(url)
    const sent = httpRequest(
      {
        hostname: target.hostname,
        port: target.port,
        path: path ?? target.pathname + target.search,
        method,
        headers: {
          ...(bytes !== undefined && {
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(bytes),
          }),
          ...headers,
        },
        ...(signal && { signal }),
      },
      (response) => {
        let text = ''
        const done = (isBroken: boolean): void =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            rawHeaders: response.rawHeaders,
            text,
            isBroken,
          })
        response.setEncoding('utf8')
        response.on('data', (piece: string) => {
          text += piece
          onData?.(text)
        })
        response.on('end', () => done(false))
        response.on('error', () => done(true))
      },
    )
    sent.on('error', reject)
    sent.end(bytes)
  })
}

/** Everything in the files below a folder, as one text. */
export function bytesBelow(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name)).toString('latin1'))
    .join('\n')
}
