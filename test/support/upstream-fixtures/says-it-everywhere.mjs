// An MCP server that sends one text in every place where a server can send text: says-it-everywhere.mjs PLACE [modern].
// The text is SAYS, until a call changes it. Its resources are at words://PLACE/…
import { createInterface } from 'node:readline'

const [place, era] = process.argv.slice(2)
const isModern = era === 'modern'
const initialText = process.env.SAYS ?? 'nothing'
let currentText = initialText
let lastQuestion = 0
const questions = new Map()
const subscribed = new Set()

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
const notify = (method, params) => send({ method: `notifications/${method}`, params })
const text = (value) => ({ type: 'text', text: value })
const uri = () => `words://${place}/${encodeURIComponent(currentText)}`
const object = { type: 'object' }
const names = ['remember', 'say', 'ask', 'touch', 'fail', 'die']
const form = () => ({
  mode: 'form',
  message: `Is it ${currentText}?`,
  requestedSchema: { type: 'object', properties: { reply: { type: 'string', description: currentText } } },
})

const tools = {
  remember: ({ text: given }) => {
    currentText = given
    return { content: [text('remembered')] }
  },
  say: (_, token) => {
    notify('message', { level: 'info', logger: `of ${currentText}`, data: { said: currentText } })
    if (token !== undefined)
      notify('progress', { progressToken: token, progress: 1, message: `at ${currentText}` })
    return {
      content: [
        text(`it is ${currentText}`),
        { type: 'resource', resource: { uri: uri(), text: currentText } },
      ],
      structuredContent: { said: currentText, [currentText]: 1 },
      _meta: { 'example.org/said': currentText },
    }
  },
  ask: async (_, __, responses) => {
    if (!isModern) return { content: [text(`${currentText}: ${JSON.stringify(await ask(form()))}`)] }
    if (responses !== undefined)
      return { content: [text(`${currentText}: ${JSON.stringify(responses.which)}`)] }
    const which = { method: 'elicitation/create', params: form() }
    return { resultType: 'input_required', inputRequests: { which }, requestState: currentText }
  },
  touch: () => {
    for (const one of subscribed) notify('resources/updated', { uri: one })
    return { content: [text('touched')] }
  },
  fail: () => {
    throw new Error(`it is not ${currentText}`)
  },
  die: () => {
    process.stderr.write(`it was ${currentText}\n`)
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
          instructions: currentText,
          _meta: { 'io.modelcontextprotocol/serverInfo': serverInfo },
        }),
      }
    : {
        initialize: () => ({
          protocolVersion: '2025-11-25',
          capabilities,
          serverInfo,
          instructions: currentText,
        }),
        ping: () => ({}),
        'logging/setLevel': () => ({}),
      }),
  'tools/list': () => ({
    // The initial text: changes of descriptions are tested elsewhere.
    tools: names.map((name) => ({
      name,
      title: `Does ${name}`,
      description: `The tool for ${initialText} and ${name}.`,
      inputSchema: {
        ...object,
        properties: { text: { type: 'string', description: initialText, default: initialText } },
      },
    })),
  }),
  'tools/call': ({ name, arguments: args = {}, _meta, inputResponses }) =>
    tools[name](args, _meta?.progressToken, inputResponses),
  'prompts/list': () => ({ prompts: [{ name: 'words', description: currentText }] }),
  'prompts/get': () => ({
    description: currentText,
    messages: [{ role: 'user', content: text(currentText) }],
  }),
  'resources/list': () => ({
    resources: [{ uri: `words://${place}/all`, name: currentText, description: currentText }],
  }),
  'resources/templates/list': () => ({
    resourceTemplates: [{ uriTemplate: `words://${place}/{one}`, name: currentText }],
  }),
  'resources/read': () => ({ contents: [{ uri: uri(), text: currentText }] }),
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
    send({ id, error: { code: -32050, message: failure.message, data: { said: currentText } } })
  }
})
