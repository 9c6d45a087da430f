// node examples/fold-a-search/fold.mjs: a subagent reads ten large files in a branch, and what that costs the main thread.
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const home = mkdtempSync(join(tmpdir(), 'fold-a-search-'))
const project = join(home, 'project')
mkdirSync(project)

// Ten large logs. In one of them is what we look for.
const files = Array.from({ length: 10 }, (_, file) => `worker-${file}.log`)
let bytes = 0
for (const [file, name] of files.entries()) {
  const lines = Array.from({ length: 150 }, (_, line) =>
    file === 6 && line === 140
      ? `${line} worker ${file}: gave up on job 4711 after 3 timeouts`
      : `${line} worker ${file}: job ${line * 7 + file} done in ${(line * 31) % 997} ms`,
  )
  const text = `${lines.join('\n')}\n`
  bytes += text.length
  writeFileSync(join(project, name), text)
}

// contextd, as a client starts it.
const server = spawn(
  process.execPath,
  [fileURLToPath(new URL('../../bin/contextd.js', import.meta.url)), 'mcp', 'serve'],
  { cwd: project, env: { PATH: process.env.PATH, CONTEXTD_HOME: home }, stdio: ['pipe', 'pipe', 'inherit'] },
)
const waiting = new Map()
createInterface({ input: server.stdout }).on('line', (line) => {
  const message = JSON.parse(line)
  waiting.get(message.id)?.(message)
})
let ids = 0
function request(method, params) {
  const id = (ids += 1)
  server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
  return new Promise((resolve) => waiting.set(id, resolve))
}

/** A call of one agent. Before it the client says whose it is, over a way that no model reaches. */
async function call(agent, tool, args) {
  const use = `toolu_${ids}`
  const said = {
    tool_use_id: use,
    session_id: 'the-conversation',
    tool_name: `mcp__plugin_contextd_contextd__${tool}`,
    ...agent,
  }
  await request('tools/call', { name: 'attest', arguments: said })
  const { result, error } = await request('tools/call', {
    name: tool,
    arguments: args,
    _meta: { 'claudecode/toolUseId': use, 'dev.contextd/structured': true },
  })
  if (error !== undefined) throw new Error(error.message)
  return result.structuredContent
}
const main = { agent_id: '', agent_type: '' }
const subagent = { agent_id: 'agent-1', agent_type: 'general-purpose' }

try {
  await request('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'claude-code', version: '2.1.325' },
  })
  server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`)

  const opened = await call(main, 'branch', {
    description: 'find the lost job',
    prompt: 'Which worker gave up on a job, and why? The logs are worker-0.log to worker-9.log.',
    budget: 32_768,
  })

  const found = []
  for (const path of files) {
    let answer = await call(subagent, 'safe_read', { path })
    let text = answer.data.text
    for (let rest = answer.refs?.[0]; rest !== undefined; rest = answer.refs?.[0]) {
      answer = await call(subagent, 'read_more', { ref: rest.ref, offset: rest.next })
      text += answer.data
    }
    const line = text.split('\n').find((each) => each.includes('gave up'))
    // Without the number that safe_read puts in front of a line.
    if (line !== undefined) found.push(`${path}: ${line.replace(/^\d+\t/, '')}`)
  }
  const returned = await call(subagent, 'return', {
    message: found.join('\n'),
    outcome: 'success',
    open_questions: ['Why did the service not answer?'],
  })

  console.log(`files searched      ${files.length}, ${bytes} bytes`)
  console.log(`read in the branch  ${returned.data.used} tokens`)
  console.log(`kept out            ${returned.data.kept_out} tokens`)
  console.log(`main thread         ${opened.tokens_used + returned.tokens_used} tokens`)
  console.log(`answer              ${returned.data.message}`)
} finally {
  server.stdin.end()
  await new Promise((resolve) => server.once('exit', resolve))
  rmSync(home, { recursive: true, force: true })
}
