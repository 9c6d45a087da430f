// The suite's client scenarios: contextd's connection over HTTP does what each of them wants to see, and a browser that
// says yes to everything stands in for the person. Gets the address of the scenario's server as its last argument.
import { rmSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { JsonObject } from '@contextd/shared/json/value'
import { openStore } from '../../src/platform/storage/store.ts'
import type { Connection, Exchange } from '../../src/tools/upstream/connection.ts'
import { connectHttp } from '../../src/tools/upstream/http/connect.ts'
import { SignInNeeded } from '../../src/tools/upstream/http/sign-in-needed.ts'
import { signIn } from '../../src/tools/upstream/http/sign-in.ts'
import { createSignIns } from '../../src/tools/upstream/http/sign-ins.ts'
import type { HttpTransport } from '../../src/tools/upstream/server.ts'

interface Context {
  readonly client_id?: string
  readonly client_secret?: string
  readonly toolCalls?: readonly { readonly name: string; readonly arguments: JsonObject }[]
}

const scenario = process.env.MCP_CONFORMANCE_SCENARIO ?? ''
const protocol = process.env.MCP_CONFORMANCE_PROTOCOL_VERSION === '2026-07-28' ? 'modern' : 'legacy'
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}') as Context
const url = process.argv.at(-1)!
/** The address of a client's own description is its id. */
const describedClient = 'https://conformance-test.local/client-metadata.json'

const folder = mkdtempSync(join(tmpdir(), 'contextd-client-'))
const store = openStore(join(folder, 'contextd.db'))
const signIns = createSignIns(store, join(folder, 'keys', 'sign-ins.key'), 'local', Date.now)
const transport: HttpTransport = { kind: 'http', url, headers: {}, ...clientGiven() }

function clientGiven(): Pick<HttpTransport, 'oauth'> {
  if (scenario === 'auth/basic-cimd') return { oauth: { clientId: describedClient } }
  const { client_id: clientId, client_secret: clientSecret } = context
  if (scenario !== 'auth/pre-registration' || clientId === undefined) return {}
  return { oauth: { clientId, ...(clientSecret !== undefined && { clientSecret }) } }
}

async function play(): Promise<void> {
  const visit = scenario.startsWith('auth/') ? visitSignedIn : visitOnce
  await visit(act[scenario] ?? callEveryTool)
}

async function visitOnce(work: (connection: Connection) => Promise<void>): Promise<void> {
  const connection = await connectHttp(
    transport,
    protocol,
    { name: 'suite', signIns, clock: Date.now },
    { onNotice: () => {}, signal: AbortSignal.timeout(20_000), maxMessageBytes: 1 << 20 },
  )
  try {
    await work(connection)
  } finally {
    await connection.close()
  }
}

/** As a person does who is told to sign in: does so and tries again, but not for ever. */
async function visitSignedIn(work: (connection: Connection) => Promise<void>): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    try {
      await visitOnce(work)
      return
    } catch (error) {
      if (!(error instanceof SignInNeeded) || tries === 3) throw error
      const signal = AbortSignal.timeout(20_000)
      await signIn({
        name: 'suite',
        transport,
        protocol,
        signIns,
        clock: Date.now,
        show: visitAddress,
        signal,
      })
    }
  }
}

/** The authorization servers of the suite ask nothing and send the browser back at once. */
function visitAddress(address: URL): void {
  void fetch(address)
}

/** Accepts, with the values that the questions themselves propose. */
async function answerQuestion({ params }: { readonly params: JsonObject }): Promise<JsonObject> {
  const { properties = {} } = (params.requestedSchema ?? {}) as { properties?: Record<string, JsonObject> }
  const proposed = Object.entries(properties).filter(([, property]) => property.default !== undefined)
  return {
    action: 'accept',
    content: Object.fromEntries(proposed.map(([name, { default: value }]) => [name, value!])),
  }
}

function exchange(inputSchema?: JsonObject): Exchange {
  return {
    signal: AbortSignal.timeout(20_000),
    asks: ['elicitation', 'sampling', 'roots'],
    ask: answerQuestion,
    ...(inputSchema && { inputSchema }),
  }
}

interface ListedTool {
  readonly name: string
  readonly inputSchema: JsonObject
}

async function tools(connection: Connection): Promise<readonly ListedTool[]> {
  const { tools: listed } = await connection.request('tools/list', {}, exchange())
  return listed as unknown as ListedTool[]
}

/** Until it is done: a server that needs answers first gets them, with what it wants to hear again. */
async function callTool(
  connection: Connection,
  { name, inputSchema }: ListedTool,
  args: JsonObject = exampleOf(inputSchema),
): Promise<void> {
  let again: JsonObject = {}
  for (;;) {
    const params = { name, arguments: args, ...again }
    const result = await connection.request('tools/call', params, exchange(inputSchema))
    if (result.resultType !== 'input_required') return
    const questions = Object.entries((result.inputRequests ?? {}) as Record<string, { params: JsonObject }>)
    const answers = await Promise.all(
      questions.map(async ([key, question]) => [key, await answerQuestion(question)]),
    )
    again = {
      inputResponses: Object.fromEntries(answers) as JsonObject,
      ...(result.requestState !== undefined && { requestState: result.requestState }),
    }
  }
}

function exampleOf({ properties = {}, required = [] }: JsonObject): JsonObject {
  const wanted = (required as string[]).map((name) => {
    const { type } = ((properties as JsonObject)[name] ?? {}) as JsonObject
    return [name, type === 'number' || type === 'integer' ? 5 : type === 'boolean' ? true : 'example']
  })
  return Object.fromEntries(wanted) as JsonObject
}

async function callEveryTool(connection: Connection): Promise<void> {
  for (const tool of await tools(connection)) await callTool(connection, tool)
}

const act: Record<string, (connection: Connection) => Promise<void>> = {
  'http-custom-headers': async (connection) => {
    const listed = await tools(connection)
    for (const { name, arguments: args } of context.toolCalls ?? []) {
      await callTool(
        connection,
        listed.find((tool) => tool.name === name)!,
        args,
      )
    }
  },
  'json-schema-ref-no-deref': async (connection) => {
    await tools(connection)
  },
  'http-standard-headers': async (connection) => {
    await callEveryTool(connection)
    const { resources } = await connection.request('resources/list', {}, exchange())
    for (const { uri } of resources as { uri: string }[]) {
      await connection.request('resources/read', { uri }, exchange())
    }
    const { prompts } = await connection.request('prompts/list', {}, exchange())
    for (const { name } of prompts as { name: string }[]) {
      await connection.request('prompts/get', { name }, exchange())
    }
  },
}

try {
  await play()
} finally {
  store.close()
  rmSync(folder, { recursive: true })
}
