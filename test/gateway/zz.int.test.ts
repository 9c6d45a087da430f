import { readFileSync } from 'node:fs'
import { test } from 'vitest'
import { fixture, gatewayRuntime, openRules, textOf } from '../support/gateway-runtime.ts'
import { makeTempHome } from '../support/temp-home.ts'
import { webServers } from '../support/web-servers.ts'
import { serveByHand, initialized } from '../support/http-upstreams.ts'
import { openDoor } from './doors.ts'
const web = webServers()
test('huge http answer and others', async () => {
  let finish: () => void = () => {}
  let n = 0
  const url = await serveByHand(web, ({ message, response, reply }) => {
    if (message.method === 'initialize') return reply(initialized)
    if (message.id === undefined) return response.writeHead(202).end()
    if (message.method === 'tools/list') return reply({ tools: [{ name: 'any', inputSchema: { type: 'object' } }] })
    n++
    if ((message.params as any).arguments.slow) return void (finish = () => reply({ content: [{ type: 'text', text: 'ok' }] }))
    reply({ content: [{ type: 'text', text: 'x'.repeat(1 << 20) }] })
  })
  const gateway = await gatewayRuntime({ servers: { there: { url, protocol: '2025-11-25', stateless: true } }, config: '[upstream]\nmessage_kb = 256\n' })
  const slow = gateway.execute('there', 'any', { slow: true })
  while (n < 1) await new Promise((r) => setTimeout(r, 10))
  console.log('huge', textOf(await gateway.execute('there', 'any', {}, { session: 'another' })).slice(0, 300))
  finish()
  console.log('slow', textOf(await slow).slice(0, 300))
  await gateway.close()
})
test('flood of list_changed', async () => {
  const home = makeTempHome()
  home.write('config/config.toml', '[log]\nlevel = "error"\n')
  home.write('config/rules.json', openRules)
  home.write('config/servers.json', { mcpServers: { bad: fixture('naughty', ['endless-notices']), good: fixture('notebook') } })
  const door = await openDoor('stdio', home)
  const agent = await door.as('main')
  await agent.tools()
  const pid = (agent.client.transport as any).pid as number
  const rss = () => /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  console.log('rss before', rss())
  const t = Date.now()
  const flood = agent.call('execute_tool', { server: 'bad', tool: 'any', timeout_ms: 4000 }).catch((e) => e.message)
  const times = []
  for (let i = 0; i < 10; i++) { const s = Date.now(); await agent.call('execute_tool', { server: 'good', tool: 'pid' }); times.push(Date.now() - s) }
  console.log('times', times.join(' '))
  console.log(JSON.stringify(await flood).slice(0, 200), Date.now() - t)
  console.log('after', rss(), 'received', agent.received.length)
  await new Promise((r) => setTimeout(r, 3000))
  console.log('later', rss(), 'received', agent.received.length)
  await door.close()
  home.remove()
})
test('progress flood', async () => {
  for (const mode of ['endless-progress', 'endless-log']) {
  const home = makeTempHome()
  home.write('config/config.toml', '[log]\nlevel = "error"\n')
  home.write('config/rules.json', openRules)
  home.write('config/servers.json', { mcpServers: { bad: fixture('naughty', [mode]), good: fixture('notebook') } })
  const door = await openDoor('stdio', home)
  const agent = await door.as('main')
  await agent.tools()
  const pid = (agent.client.transport as any).pid as number
  const rss = () => /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  console.log(mode, 'rss before', rss())
  const t = Date.now()
  const flood = agent.client.callTool({ name: 'execute_tool', arguments: { server: 'bad', tool: 'any', timeout_ms: 4000 }, _meta: { 'dev.contextd/agentId': 'main' } }, { onprogress: () => {} }).catch((e) => e.message)
  const times = []
  for (let i = 0; i < 10; i++) { const s = Date.now(); await agent.call('execute_tool', { server: 'good', tool: 'pid' }); times.push(Date.now() - s) }
  console.log('times', times.join(' '))
  console.log(JSON.stringify(await flood).slice(0, 200), Date.now() - t)
  console.log('after', rss(), 'received', agent.received.length)
  await new Promise((r) => setTimeout(r, 3000))
  console.log('later', rss(), 'received', agent.received.length)
  await door.close()
  home.remove()
  }
}, 100000)
