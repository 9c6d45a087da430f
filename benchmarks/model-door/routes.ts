// The routes to the same provider: a bare pass-through, and contextd's model door. Each part is a separate process.
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { join, resolve } from 'node:path'

import { ownPort } from '../../test/support/own-port.ts'
import { bundled, serve, type ServedProcess } from '../support/served.ts'

/** Memory and CPU time are those of the process in the middle. */
export interface Route extends Pick<ServedProcess, 'rss' | 'cpuMs'> {
  /** Resolves with the times in milliseconds since the request started. */
  send(request: Sending): Promise<Sent>
}

export interface Sending {
  readonly body: string
  /** The client's session. */
  readonly session: string
  readonly pace?: Pace | undefined
}

/** How the provider streams its response; without it, the response is sent at once. */
export interface Pace {
  readonly deltas: number
  readonly pauseMs: number
}

export interface Sent {
  readonly firstTokenMs: number
  readonly endMs: number
}

export interface Routes {
  readonly bare: Route
  readonly door: Route
  stop(): Promise<void>
}

export async function openRoutes(home: string): Promise<Routes> {
  const [project, config] = [join(home, 'project'), join(home, 'config')]
  for (const folder of [project, config]) mkdirSync(folder, { recursive: true })
  const env = { PATH: process.env.PATH ?? '', HOME: home, CONTEXTD_HOME: home }
  const provider = await serve([bundled('benchmarks/model-door/provider.ts')], env, project)
  const bare = await serve([bundled('benchmarks/model-door/bare-door.ts'), provider.line], env, project)
  writeFileSync(
    join(config, 'config.toml'),
    `[http]\nport = ${await ownPort()}\n\n[model]\nanthropic = "${provider.line}"\n`,
  )
  const daemon = await serve([resolve('bin/contextd.js'), 'serve', '--json'], env, project)
  const askUrl = [resolve('bin/ctxd.js'), 'model', 'url', 'claude-code']
  const url = execFileSync(process.execPath, askUrl, { env, cwd: project, encoding: 'utf8' }).trim()
  const agent = new Agent({ keepAlive: true })
  return {
    bare: { ...bare, send: (sending) => post(bare.line, agent, sending) },
    door: { ...daemon, send: (sending) => post(url, agent, sending) },
    async stop() {
      agent.destroy()
      for (const part of [daemon, bare, provider]) await part.stop()
    },
  }
}

function post(url: string, agent: Agent, { body, session, pace }: Sending): Promise<Sent> {
  const headers = {
    'content-type': 'application/json',
    'x-api-key': 'none',
    'anthropic-version': '2023-06-01',
    'x-claude-code-session-id': session,
    ...(pace !== undefined && { 'x-bench-deltas': pace.deltas, 'x-bench-pause': pace.pauseMs }),
  }
  const begin = performance.now()
  const since = (): number => performance.now() - begin
  return new Promise((settle, fail) => {
    const sent = request(`${url}/v1/messages`, { method: 'POST', headers, agent }, (response) => {
      let [text, firstTokenMs] = ['', NaN]
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
        if (Number.isNaN(firstTokenMs) && text.includes('text_delta')) firstTokenMs = since()
      })
      response.on('error', fail)
      response.on('end', () => {
        // Only responses of the provider are measured.
        if (response.statusCode !== 200 || !/"end_turn"/.test(text)) fail(new Error(text.slice(0, 400)))
        else settle({ firstTokenMs, endMs: since() })
      })
    })
    sent.on('error', fail)
    sent.end(body)
  })
}
