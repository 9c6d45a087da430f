import type { IncomingMessage } from 'node:http'

import type { WebServers } from './web-servers.ts'

type Body = Record<string, unknown>

interface Point {
  readonly id: number
  readonly vector: number[]
  readonly payload: Record<string, string>
}

interface Collection {
  readonly size: number
  readonly indexes: Set<string>
  readonly points: Map<number, Point>
}

export interface QdrantServer {
  readonly url: string
  readonly collections: Map<string, Collection>
  /** `PUT /collections/name`, and so on. */
  readonly requests: string[]
  /** Responds to the next requests with these statuses. */
  readonly next: (number | 'silence')[]
}

class RequestRejected extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/**
 * The part of Qdrant's REST API that contextd uses, in memory and stricter than the real one: unknown fields, filters
 * without an index and requests that do not wait are rejected.
 */
export async function startQdrant(
  servers: WebServers,
  { key, prefix = '' }: { key?: string; prefix?: string } = {},
): Promise<QdrantServer> {
  const collections: QdrantServer['collections'] = new Map()
  const requests: string[] = []
  const next: QdrantServer['next'] = []

  const handle = (request: IncomingMessage, body: Body): unknown => {
    const { pathname, search } = new URL(request.url ?? '', 'http://localhost')
    if (key !== undefined && request.headers['api-key'] !== key)
      throw new RequestRejected(401, `wrong key, not ${key}`)
    const [, root, encoded, ...rest] = pathname.slice(prefix.length).split('/')
    const name = decodeURIComponent(encoded ?? '')
    const route = [request.method, ...(encoded === undefined ? [] : [':name']), ...rest].join(' ')
    if (root !== 'collections' || !pathname.startsWith(prefix))
      throw new RequestRejected(404, 'no such address')

    if (route === 'GET') return { collections: [...collections.keys()].map((one) => ({ name: one })) }
    if (route === 'GET :name exists') return { exists: collections.has(name) }
    if (route === 'DELETE :name') return collections.delete(name)
    if (route === 'PUT :name') {
      if (collections.has(name))
        throw new RequestRejected(409, `Wrong input: Collection \`${name}\` already exists!`)
      collections.set(name, newCollection(name, body))
      return true
    }

    const collection = collections.get(name)
    if (collection === undefined)
      throw new RequestRejected(404, `Not found: Collection \`${name}\` doesn't exist!`)
    if (route === 'POST :name points query') return { points: query(collection, body) }

    if (search !== '?wait=true') throw new RequestRejected(400, 'a write must wait until it is done')
    if (route === 'PUT :name index') {
      only(body, 'field_name', 'field_schema')
      if (body.field_schema !== 'keyword') throw new RequestRejected(400, 'unknown type of index')
      collection.indexes.add(String(body.field_name))
    } else if (route === 'PUT :name points') {
      only(body, 'points')
      for (const point of listOf(body.points)) put(collection, point as Body)
    } else if (route === 'POST :name points delete') {
      only(body, 'points')
      for (const id of listOf(body.points)) collection.points.delete(idOf(id))
    } else throw new RequestRejected(404, `no such address: ${route}`)
    return { operation_id: requests.length, status: 'completed' }
  }

  const port = await servers.serve(async (request, response) => {
    requests.push(`${request.method} ${request.url}`)
    const instead = next.shift()
    if (instead === 'silence') return
    let status = 200
    let answer: object
    try {
      const body = await bodyOf(request)
      if (instead !== undefined)
        throw new RequestRejected(instead, `refused on purpose: ${JSON.stringify(body)}`)
      answer = { result: handle(request, body), status: 'ok', time: 0 }
    } catch (error) {
      if (!(error instanceof RequestRejected)) throw error
      status = error.status
      answer = { status: { error: error.message }, time: 0 }
    }
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  })
  return { url: `http://127.0.0.1:${port}${prefix}`, collections, requests, next }
}

function newCollection(name: string, body: Body): Collection {
  if (name.length > 255 || /[<>:"/\\|?*\p{Cc}]/u.test(name)) throw new RequestRejected(422, 'not a name')
  only(body, 'vectors')
  const vectors = body.vectors as Body
  only(vectors, 'size', 'distance')
  if (vectors.distance !== 'Cosine' || !Number.isInteger(vectors.size) || Number(vectors.size) < 1) {
    throw new RequestRejected(422, 'vectors of an unknown kind')
  }
  return { size: Number(vectors.size), indexes: new Set(), points: new Map() }
}

function put(collection: Collection, point: Body): void {
  only(point, 'id', 'vector', 'payload')
  const vector = vectorOf(collection, point.vector)
  collection.points.set(idOf(point.id), {
    id: idOf(point.id),
    vector,
    payload: point.payload as Record<string, string>,
  })
}

function query(collection: Collection, body: Body): { id: number; version: number; score: number }[] {
  only(body, 'query', 'filter', 'limit', 'with_payload', 'params')
  if (body.with_payload !== false) throw new RequestRejected(400, 'nobody wants the payload')
  if (!Number.isInteger(body.limit) || Number(body.limit) < 1)
    throw new RequestRejected(422, 'limit must be 1 or larger')
  only((body.params ?? {}) as Body, 'exact')
  const wanted = vectorOf(collection, body.query)
  const filter = body.filter as Body
  only(filter, 'must')
  const conditions = listOf(filter.must).map((one) => conditionOf(collection, one as Body))
  return [...collection.points.values()]
    .filter((point) => conditions.every((holds) => holds(point)))
    .map(({ id, vector }) => ({ id, version: 1, score: cosine(wanted, vector) }))
    .sort((a, b) => b.score - a.score)
    .slice(0, Number(body.limit))
}

function conditionOf(collection: Collection, condition: Body): (point: Point) => boolean {
  if ('has_id' in condition) {
    only(condition, 'has_id')
    const ids = new Set(listOf(condition.has_id).map(idOf))
    return ({ id }) => ids.has(id)
  }
  only(condition, 'key', 'match')
  const key = String(condition.key)
  if (!collection.indexes.has(key))
    throw new RequestRejected(400, `Index required but not found for "${key}"`)
  const match = condition.match as { value?: string; any?: string[] }
  const values = match.any ?? [match.value]
  return ({ payload }) => values.includes(payload[key])
}

function only(body: Body, ...fields: string[]): void {
  const other = Object.keys(body).find((field) => !fields.includes(field))
  if (other !== undefined)
    throw new RequestRejected(400, `Format error in JSON body: unknown field \`${other}\``)
}

function listOf(value: unknown): unknown[] {
  if (!Array.isArray(value) || value.length === 0)
    throw new RequestRejected(422, 'a list of at least one was expected')
  return value
}

function idOf(value: unknown): number {
  if (!Number.isSafeInteger(value) || Number(value) < 0)
    throw new RequestRejected(400, 'not an id of a point')
  return Number(value)
}

function vectorOf({ size }: Collection, value: unknown): number[] {
  const numbers = listOf(value)
  if (numbers.length !== size) {
    throw new RequestRejected(
      400,
      `Wrong input: Vector dimension error: expected dim: ${size}, got ${numbers.length}`,
    )
  }
  if (!numbers.every((one) => Number.isFinite(one))) throw new RequestRejected(400, 'not a vector')
  return numbers as number[]
}

function cosine(one: number[], other: number[]): number {
  const lengths = Math.hypot(...one) * Math.hypot(...other)
  return lengths === 0 ? 0 : one.reduce((sum, value, i) => sum + value * other[i]!, 0) / lengths
}

async function bodyOf(request: IncomingMessage): Promise<Body> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  if (parts.length === 0) return {}
  if (request.headers['content-type'] !== 'application/json') throw new RequestRejected(415, 'not JSON')
  return JSON.parse(Buffer.concat(parts).toString()) as Body
}
