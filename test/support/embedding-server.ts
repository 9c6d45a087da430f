import type { IncomingMessage, ServerResponse } from 'node:http'

import type { WebServers } from './web-servers.ts'

export interface EmbeddingServer {
  readonly url: string
  /** The texts and the key of each request. */
  readonly requests: { readonly input: string[]; readonly key: string | undefined }[]
  /** Responses to the next requests, in place of the usual ones. */
  readonly next: ((response: ServerResponse) => void)[]
}

export interface EmbeddingServerOptions {
  readonly interface: 'openai' | 'ollama'
  readonly model: string
  readonly key?: string
  /** Rejects longer texts, like servers of small models. */
  readonly maxLength?: number
}

/** A server with the API of OpenAI or Ollama: strict about requests, with vectors computed from words. */
export async function startEmbeddingServer(
  servers: WebServers,
  options: EmbeddingServerOptions,
): Promise<EmbeddingServer> {
  const requests: EmbeddingServer['requests'] = []
  const next: EmbeddingServer['next'] = []
  const path = options.interface === 'openai' ? '/v1/embeddings' : '/api/embed'

  const problemOf = (
    request: IncomingMessage,
    body: Record<string, unknown>,
  ): [number, string] | undefined => {
    if (request.url !== path || request.method !== 'POST') return [404, 'no such address']
    if (options.key !== undefined && request.headers.authorization !== `Bearer ${options.key}`) {
      return [401, `wrong key ${request.headers.authorization}`]
    }
    if (request.headers['content-type'] !== 'application/json') return [415, 'not JSON']
    if (body.model !== options.model) return [404, 'no such model']
    const { input } = body
    if (!Array.isArray(input) || input.length === 0) return [400, 'no input']
    if (input.some((text) => typeof text !== 'string' || text === '')) return [400, 'an empty text']
    const tooLong = input.find((text: string) => text.length > (options.maxLength ?? Infinity)) as
      | string
      | undefined
    if (tooLong !== undefined) return [413, `too long: ${tooLong}`]
    return undefined
  }

  const port = await servers.serve(async (request, response) => {
    const body = JSON.parse((await textOf(request)) || '{}') as Record<string, unknown>
    const input = body.input as string[]
    requests.push({ input, key: request.headers.authorization })
    const instead = next.shift()
    if (instead !== undefined) return instead(response)
    const problem = problemOf(request, body)
    if (problem !== undefined) return answer(response, problem[0], { error: { message: problem[1] } })
    const vectors = input.map(vectorOfWords)
    if (options.interface === 'ollama')
      return answer(response, 200, { model: options.model, embeddings: vectors })
    const data = vectors.map((embedding, index) => ({ object: 'embedding', index, embedding }))
    // In arbitrary order, as the API allows.
    answer(response, 200, { object: 'list', data: data.toReversed(), model: options.model })
  })
  return { url: `http://127.0.0.1:${port}`, requests, next }
}

export function answer(response: ServerResponse, status: number, body: object, headers = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts).toString()
}

/** Not normalised, like those of some servers. */
function vectorOfWords(text: string): number[] {
  const vector = Array.from({ length: 24 }, () => 0.01)
  for (const word of text.toLowerCase().split(/\W+/)) {
    let hash = 7
    for (const letter of word) hash = (hash * 31 + letter.charCodeAt(0)) >>> 0
    vector[hash % 24]! += 1
  }
  return vector
}
