// An MCP server that says one text wherever a server can say something: says-it-everywhere.mjs PLACE [modern]
// The text is SAYS, until it is told another. Its resources are at words://PLACE/…
import { createInterface } from 'node:readline'

const [place, era] = process.argv.slice(2)
const isModern = era === 'modern'
const first = process.env.SAYS ?? 'nothing'
let said = first
let lastQuestion = 0
const questions = new Map()
const subscribed = new Set()

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
const tell = (method, params) => send({ method: `notifications/${method}`, params })
const text = (value) => ({ type: 'text', text: value })
const uri = () => `words://${place}/${encodeURIComponent(said)}`
const object = { type: 'object' }
const names = ['remember', 'say', 'ask', 'touch', 'fail', 'die']
const form = () => ({
  mode: 'form',
  message: `Is it ${said}?`,
  requestedSchema: { type: 'object', properties: { reply: { type: 'string', description: said } } },
})

const tools = {
  remember: ({ text: given }) => {
    said = given
    return { content: [text('remembered')] }
  },
  say: (_, token) => {
    tell('message', { level: 'info', logger: `of ${said}`, data: { said } })
    if (token !== undefined) tell('progress', { progressToken: token, progress: 1, message: `at ${said}` })
    return {
      content: [text(`it is ${said}`), { type: 'resource', resource: { uri: uri(), text: said } }],
      structuredContent: { said, [said]: 1 },
      _meta: { 'example.org/said': said },
    }
  },
  ask: async (_, __, responses) => {
    if (!isModern) return { content: [text(`${said}: ${JSON.stringify(await ask(form()))}`)] }
    if (responses !== undefined) return { content: [text(`${said}: ${JSON.stringify(responses.which)}`)] }
    const which = { method: 'elicitation/create', params: form() }
    return { resultType: 'input_required', inputRequests: { which }, requestState: said }
  },
  touch: () => {
    for (const one of subscribed) tell('resources/updated', { uri: one })
    return { content: [text('touched')] }
  },
  fail: () => {
    throw new Error(`it is not ${said}`)
  },
  die: () => {
    process.stderr.write(`it was ${said}\n`)
    process.exit(1)
  },
}

function ask(params) {
  lastQuestion += 1
  const id = `question ${lastQuestion}`
  send({ id, method: 'elicitation/create', params })
  return new Promise((resolve) => questions.set(id, resolve))
}

const capabilities = { tools: {}, prompts: {}, resources: { subscribe: true }, logging: {} }
const serverInfo = { name: 'says-it-everywhere', version: '1' }
const answers = {
  ...(isModern
    ? {
        'server/discover': () => ({
          supportedVersions: ['2026-07-28'],
          capabilities,
          instructions: said,
          _meta: { 'io.modelcontextprotocol/serverInfo': serverInfo },
        }),
      }
    : {
        initialize: () => ({ protocolVersion: '2025-11-25', capabilities, serverInfo, instructions: said }),
        ping: () => ({}),
        'logging/setLevel': () => ({}),
      }),
  'tools/list': () => ({
    // What it is at first: a description that changes is another matter.
    tools: names.map((name) => ({
      name,
      title: `Does ${name}`,
      description: `The tool for ${first} and ${name}.`,
      inputSchema: {
        ...object,
        properties: { text: { type: 'string', description: first, default: first } },
      },
    })),
  }),
  'tools/call': ({ name, arguments: args = {}, _meta, inputResponses }) =>
    tools[name](args, _meta?.progressToken, inputResponses),
  'prompts/list': () => ({ prompts: [{ name: 'words', description: said }] }),
  'prompts/get': () => ({ description: said, messages: [{ role: 'user', content: text(said) }] }),
  'resources/list': () => ({ resources: [{ uri: `words://${place}/all`, name: said, description: said }] }),
  'resources/templates/list': () => ({
    resourceTemplates: [{ uriTemplate: `words://${place}/{one}`, name: said }],
  }),
  'resources/read': () => ({ contents: [{ uri: uri(), text: said }] }),
  'resources/subscribe': (params) => (subscribed.add(params.uri), {}),
  'resources/unsubscribe': (params) => (subscribed.delete(params.uri), {}),
}

createInterface({ input: process.stdin }).on('line', async (line) => {
  const { id, method, params, result, error } = JSON.parse(line)
  if (method === undefined) return questions.get(id)?.(result ?? error)
  if (id === undefined) return
  const complete = isModern ? { resultType: 'complete' } : {}
  try {
    if (answers[method] === undefined) return send({ id, error: { code: -32601, message: 'no such method' } })
    send({ id, result: { ...complete, ...(await answers[method](params ?? {})) } })
  } catch (failure) {
    send({ id, error: { code: -32050, message: failure.message, data: { said } } })
  }
})
