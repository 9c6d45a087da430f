import { Server } from '@modelcontextprotocol/server'

export const capabilities = {
  tools: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
  logging: {},
}

/** Tools that echo, ask, wait and report progress, and resources to subscribe to. */
export function newServer(): Server {
  const server = new Server({ name: 'fixture', version: '2' }, { capabilities, instructions: 'Be kind.' })
  server.setRequestHandler('tools/list', () => ({
    tools: [{ name: 'echo', inputSchema: { type: 'object' as const } }],
  }))
  server.setRequestHandler('resources/subscribe', () => ({}))
  server.setRequestHandler('resources/unsubscribe', () => ({}))
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    const { name, arguments: args = {} } = params
    if (name === 'ask') {
      const asked = await mcpReq.send({
        method: 'elicitation/create',
        params: { mode: 'form', message: 'Who?', requestedSchema: { type: 'object', properties: {} } },
      })
      return { content: [{ type: 'text' as const, text: JSON.stringify(asked) }] }
    }
    if (name === 'slow') await new Promise((resolve) => mcpReq.signal.addEventListener('abort', resolve))
    if (name === 'steps') {
      const progressToken = mcpReq._meta!.progressToken!
      for (const progress of [1, 2]) {
        await mcpReq.notify({
          method: 'notifications/progress',
          params: { progressToken, progress, total: 2 },
        })
      }
      await mcpReq.notify({ method: 'notifications/message', params: { level: 'info', data: 'halfway' } })
    }
    return { content: [{ type: 'text' as const, text: JSON.stringify(args) }] }
  })
  return server
}
