// An MCP server that misbehaves after the handshake, as its argument specifies.
import { appendFileSync, closeSync, readFileSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { createInterface } from 'node:readline'

const [mode = '', marker = ''] = process.argv.slice(2)
// So that a test can count starts, and knows when an unanswered call has arrived.
const note = (file) => process.env.STARTS_FILE !== undefined && appendFileSync(file, `${process.pid}\n`)
note(process.env.STARTS_FILE)
const say = (text) => process.stdout.write(`${text}\n`)
const send = (message) => say(JSON.stringify({ jsonrpc: '2.0', ...message }))
const answer = (id, result = { content: [{ type: 'text', text: 'ok' }] }) => send({ id, result })
const introduction = {
  protocolVersion: mode === 'old' ? '2024-11-05' : mode === 'unknown-version' ? '1999-01-01' : '2025-11-25',
  capabilities: { tools: { listChanged: true }, logging: {} },
  serverInfo: { name: 'naughty', version: '0' },
}
/** Writes only as fast as the reader reads; otherwise it would fill its own memory. */
const flood = (chunk) => {
  while (process.stdout.write(chunk));
  process.stdout.once('drain', () => flood(chunk))
}

/** How each mode handles a call. */
const misdeeds = {
  exit: () => {
    process.stderr.write('first line\nit broke here\n\n')
    process.exit(3)
  },
  // Keeps running but sends nothing more, not even pings.
  freezes: () => {
    note(`${process.env.STARTS_FILE}-calls`)
    process.kill(process.pid, 'SIGSTOP')
  },
  hangs: () => note(`${process.env.STARTS_FILE}-calls`),
  'endless-notices': () => flood(notice('notifications/tools/list_changed').repeat(1000)),
  'endless-progress': (id) =>
    flood(notice('notifications/progress', { progressToken: id, progress: 1, message: 'x' }).repeat(1000)),
  'endless-log': () =>
    flood(notice('notifications/message', { level: 'error', data: 'x'.repeat(100) }).repeat(1000)),
  'endless-line': () => flood('x'.repeat(1 << 16)),
  'long-line': (id) => answer(id, { text: 'x'.repeat(1 << 20) }),
  nonsense: (id) => {
    for (let count = 0; count < 900; count++) say(count % 2 ? '\x00\xff banner {"id":' : '')
    answer(id)
  },
  'only-nonsense': () => flood('this is no message\n'.repeat(1000)),
  'unknown-id': (id) => {
    for (const other of [id + 1000, -1, 1.5, String(id), null, {}]) answer(other, { content: [] })
    answer(id)
  },
  twice: (id) => {
    answer(id)
    answer(id, { content: [{ type: 'text', text: 'again' }] })
    send({ id, error: { code: -1, message: 'changed my mind' } })
  },
  deep: (id) =>
    say(`{"jsonrpc":"2.0","id":${id},"result":{"deep":${'['.repeat(10_000)}${']'.repeat(10_000)}}}`),
  'not-utf8': (id) => {
    const around = [`{"jsonrpc":"2.0","id":${id},"result":{"text":"`, '"}}\n'].map((part) =>
      Buffer.from(part),
    )
    process.stdout.write(Buffer.concat([around[0], Buffer.from([0xff, 0xfe, 0xc0]), around[1]]))
  },
  pollution: (id) =>
    say(
      `{"jsonrpc":"2.0","id":${id},"result":{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}}`,
    ),
  shapes: (id) => {
    for (const line of ['[]', 'null', '1', '{}', '[[[]]]', '{"id":true,"result":{}}', '{"method":5}'])
      say(line)
    send({ id: 9, method: 'elicitation/create', params: 'none' })
    send({ method: 'notifications/progress', params: { progressToken: {}, progress: 'much' } })
    send({ method: 'notifications/message', params: { level: 'shouting' } })
    send({ method: 'notifications/resources/updated', params: { uri: 5 } })
    send({ method: 'notifications/made/up' })
    say(JSON.stringify([{ jsonrpc: '2.0', id, result: { content: [] } }]))
  },
  'wrong-result': (id) => answer(id, 5),
  'wrong-error': (id) => send({ id, error: 'just words' }),
  'own-error': (id) => send({ id, error: { code: -32050, message: 'my own', data: { why: 1 } } }),
  'close-stdout': () => {
    process.stderr.write('no more words\n')
    closeSync(1)
    setInterval(() => {}, 1000)
  },
  questions: (id) => {
    const kinds = ['elicitation/create', 'sampling/createMessage', 'roots/list', 'ping', 'made/up']
    for (let count = 0; count < 5000; count++) send({ id: `q${count}`, method: kinds[count % 5], params: {} })
    waiting = id
  },
  // Tries the requested actions and reports the results.
  probe: async (id, { read, write, url }) => {
    const attempt = async (action) => {
      try {
        return await action()
      } catch (error) {
        return error.code ?? error.message
      }
    }
    answer(id, {
      read: await attempt(() => readFileSync(read, 'utf8')),
      write: (await attempt(() => writeFileSync(write, 'written'))) ?? 'written',
      fetched: await attempt(() => fetchByProxy(url)),
      env: process.env,
      cwd: process.cwd(),
    })
  },
  'stop-reading': () => {
    input.pause()
    process.stdin.pause()
    for (let count = 0; count < 20_000; count++) send({ id: `q${count}`, method: 'ping' })
  },
}

function notice(method, params = {}) {
  return `${JSON.stringify({ jsonrpc: '2.0', method, params })}\n`
}

/** Like programs that support proxies. */
function fetchByProxy(url) {
  const proxy = process.env.http_proxy
  const { host } = new URL(url)
  const target = proxy === undefined ? url : { ...urlParts(proxy), path: url, headers: { host } }
  return new Promise((resolve, reject) => {
    const request = get(target, async (response) => {
      let text = ''
      for await (const part of response) text += part
      resolve(`${response.statusCode} ${text.slice(0, 40)}`)
    })
    request.on('error', reject)
  })
}
function urlParts(url) {
  const { hostname: host, port } = new URL(url)
  return { host, port }
}

let waiting
const answers = {}
const input = createInterface({ input: process.stdin })

if (mode === 'dies-at-start') {
  process.stderr.write('the configuration is wrong\n')
  process.exit(1)
}
if (mode === 'banner') say('Welcome to the server!')
if (mode === 'ignores-all') {
  process.on('SIGTERM', () => {})
  setInterval(() => {}, 1000)
}
if (mode === 'leaves-children') {
  const { spawn } = await import('node:child_process')
  const start = (command, options) => spawn('/bin/sh', ['-c', command], { stdio: 'ignore', ...options })
  // In its process group, in a separate one, and one that detaches itself.
  start('trap "" TERM; sleep 600')
  start('trap "" TERM; sleep 600', { detached: true })
  start('setsid sh -c "sleep 600" & exit', { detached: true })
}
if (mode === 'chatty') setInterval(() => process.stderr.write('noise\n'.repeat(10_000)), 1)

input.on('line', (line) => {
  const { id, method, params, result, error } = JSON.parse(line)
  if (method === undefined) {
    const kind = error === undefined ? `answer ${JSON.stringify(result)}` : `error ${error.code}`
    answers[kind] = (answers[kind] ?? 0) + 1
    const count = Object.values(answers).reduce((sum, each) => sum + each, 0)
    if (waiting !== undefined && count === 5000) answer(waiting, { answers })
  } else if (method === 'initialize') {
    if (mode === 'hangs-at-start') return
    if (mode === 'refuses') return send({ id, error: { code: -32601, message: 'no such method' } })
    answer(id, introduction)
    if (mode === 'exits-idle') setTimeout(() => process.exit(5), 20)
  } else if (id !== undefined) {
    if (mode === 'exits-answered' && method === 'tools/call') setTimeout(() => process.exit(5), 20)
    if (method === 'tools/call')
      (misdeeds[mode] ?? ((at) => answer(at, { mode, marker })))(id, params.arguments)
    else if (method === 'tools/list') {
      if (mode !== 'hangs-listing') answer(id, { tools: [{ name: 'any', inputSchema: { type: 'object' } }] })
    } else send({ id, error: { code: -32601, message: 'no such method' } })
  }
})
