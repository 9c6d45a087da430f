// An MCP server on the SDK that supports both eras and every feature of a server. With the argument `modern`: only the
// newer era.
import { inputRequired, McpServer } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import * as z from 'zod/v4'

const text = (value) => ({ content: [{ type: 'text', text: String(value) }] })
const question = {
  mode: 'form',
  message: 'Which?',
  requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
}

function makeServer({ era }) {
  const server = new McpServer(
    { name: 'well-behaved', version: '1.2.3' },
    {
      capabilities: {
        logging: {},
        tools: { listChanged: true },
        resources: { subscribe: true, listChanged: true },
      },
      instructions: 'Be kind.',
    },
  )
  const low = server.server
  const tool = (name, run, inputSchema = z.object({})) => server.registerTool(name, { inputSchema }, run)

  tool('echo', ({ text: said }) => text(said), z.object({ text: z.string() }))
  tool('environment', () => text(JSON.stringify({ env: process.env, cwd: process.cwd(), pid: process.pid })))
  tool('progress', async (_, ctx) => {
    const progressToken = ctx.mcpReq._meta?.progressToken
    if (progressToken === undefined) return text('nobody listens')
    for (const progress of [1, 2]) {
      const params = { progressToken, progress, total: 2, message: `step ${progress}` }
      await ctx.mcpReq.notify({ method: 'notifications/progress', params })
    }
    return text('done')
  })
  tool('log', async (_, ctx) => {
    for (const level of ['debug', 'info', 'error']) {
      await ctx.mcpReq.log(level, `a message of level ${level}`, 'fixture')
    }
    return text('logged')
  })
  let waiting = 0
  let cancelled = 0
  tool('wait', (_, { mcpReq: { signal } }) => {
    waiting += 1
    return new Promise((resolve) => {
      signal.addEventListener('abort', () => {
        cancelled += 1
        resolve(text('cancelled'))
      })
    })
  })
  tool('waiting', () => text(waiting))
  tool('cancelled', () => text(cancelled))
  tool('ask', async (_, ctx) => {
    if (era === 'modern') {
      const given = ctx.mcpReq.inputResponses?.which
      if (given !== undefined) return text(JSON.stringify(given))
      return inputRequired({
        inputRequests: { which: inputRequired.elicit(question) },
        requestState: 'state',
      })
    }
    try {
      return text(JSON.stringify(await ctx.mcpReq.elicitInput(question)))
    } catch (error) {
      return text(`error ${error.code}`)
    }
  })
  tool('sample', async (_, ctx) => {
    const messages = [{ role: 'user', content: { type: 'text', text: 'hello' } }]
    return text(JSON.stringify(await ctx.mcpReq.requestSampling({ messages, maxTokens: 10 })))
  })
  tool('roots', async () => text(JSON.stringify(await low.listRoots())))
  tool('change', async () => {
    await low.sendToolListChanged()
    await low.sendResourceUpdated({ uri: 'fixture://one' })
    return text('changed')
  })
  tool('crash', () => {
    process.stderr.write('this is the end\n')
    process.exit(7)
  })
  const subscribed = new Set()
  server.registerResource('one', 'fixture://one', {}, () => ({
    contents: [{ uri: 'fixture://one', text: '1' }],
  }))
  if (era !== 'modern') {
    low.setRequestHandler('resources/subscribe', ({ params }) => (subscribed.add(params.uri), {}))
    low.setRequestHandler('resources/unsubscribe', ({ params }) => (subscribed.delete(params.uri), {}))
  }
  tool('subscribed', () => text([...subscribed].join(' ')))
  return server
}

serveStdio(makeServer, { legacy: process.argv[2] === 'modern' ? 'reject' : 'serve' })
