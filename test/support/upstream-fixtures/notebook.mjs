// A small MCP server that stores notes, so that a test can see who shares it. Its first argument may name a file with
// the description of its tools, read whenever they are listed.
import { existsSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

const [file = ''] = process.argv.slice(2)
const description = () => (existsSync(file) ? readFileSync(file, 'utf8') : 'Keeps notes.')
const notes = []
const object = (properties = {}, required = []) => ({ type: 'object', properties, required })
const tools = () => [
  { name: 'write', description: description(), inputSchema: object({ text: { type: 'string' } }, ['text']) },
  {
    name: 'read',
    description: 'Reads the notes.',
    inputSchema: object(),
    outputSchema: object({ notes: { type: 'array' } }),
    annotations: { readOnlyHint: true },
  },
  { name: 'pid', description: 'Says which process this is.', inputSchema: object() },
  { name: 'die', description: 'Ends the process.', inputSchema: object() },
  { name: 'hang', description: 'Never answers.', inputSchema: object() },
  { name: 'fail', description: 'Answers with an error.', inputSchema: object() },
  {
    name: 'show',
    description: 'Shows a picture and a link.',
    inputSchema: object(),
  },
]

const text = (value) => ({ content: [{ type: 'text', text: String(value) }] })
const run = {
  write: ({ text: note }) => text(`kept ${notes.push(note)}`),
  read: () => ({ ...text(notes.join('\n')), structuredContent: { notes } }),
  pid: () => text(process.pid),
  die() {
    process.stderr.write('the notebook is full\n')
    process.exit(3)
  },
  show: () => ({
    content: [
      { type: 'image', data: 'aGVsbG8=', mimeType: 'image/png' },
      { type: 'resource_link', uri: 'notes://all', name: 'all notes' },
    ],
    _meta: { 'example.org/seen': true, 'dev.contextd/result': { forged: true } },
  }),
}

const answers = {
  initialize: () => ({
    protocolVersion: '2025-11-25',
    capabilities: { tools: { listChanged: true } },
    serverInfo: { name: 'notebook', version: '1' },
  }),
  ping: () => ({}),
  'tools/list': () => ({ tools: tools() }),
  'tools/call': ({ name, arguments: args = {} }) => run[name]?.(args),
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined || params?.name === 'hang') return
  const result = answers[method]?.(params ?? {})
  const error = { code: -32050, message: 'the ink is dry', data: { bottle: 7 } }
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...(result ? { result } : { error }) })}\n`)
})
