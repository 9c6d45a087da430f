import { createHash } from 'node:crypto'

import type { QdrantClient } from '@qdrant/js-client-rest'

import { batches } from '../../core/batches.ts'
import { ContextdError } from '../../core/errors/errors.ts'
import type { Store } from '../../platform/storage/store.ts'
import { vectorSetId } from '../../platform/storage/vector-rows.ts'
import { serverUrl } from './server-url.ts'
import type { StoredVector, VectorIndex, VectorKind } from './vector-index.ts'

export interface QdrantParts {
  /** Contains the rows; Qdrant only has their vectors. */
  readonly store: Pick<Store, 'prepare'>
  readonly tenant: string
  readonly kind: VectorKind
  readonly url: string
  readonly key?: () => string | undefined
}

/** Optional package. */
type ClientPackage = Pick<typeof import('@qdrant/js-client-rest'), 'QdrantClient'>

const timeoutMs = 10_000
/** Points per request. */
const batchPoints = 256
/** Point ids per request. */
const batchRows = 1000
/** Fields that searches filter by. */
const indexedFields = ['tenant', 'project', 'model'] as const

/**
 * Vectors in Qdrant, for stores too large to compare every vector. One collection per tenant, kind and dimension; the
 * row is the point id. Collections are created on the first write.
 */
export async function openQdrantVectors(
  parts: QdrantParts,
  load: () => Promise<ClientPackage> = () => import('@qdrant/js-client-rest'),
): Promise<VectorIndex> {
  const { store, tenant, kind } = parts
  const client = await connect(parts, load)
  const names = collectionNames(tenant, kind, vectorSetId(store, { tenant, kind }))
  const prepared = new Map<string, Promise<void>>()

  /** Runs once per driver; another process may do the same concurrently. */
  const prepare = (name: string, size: number): Promise<void> => {
    const known = prepared.get(name)
    if (known !== undefined) return known
    const work = createCollection(client, name, size)
    prepared.set(name, work)
    work.catch(() => prepared.delete(name))
    return work
  }

  const upsert = async (vectors: readonly StoredVector[], model: string, size: number): Promise<void> => {
    const name = names.of(size)
    await prepare(name, size)
    for (const batch of batches(vectors, batchPoints)) {
      const points = batch.map(({ row, project, vector }) => ({
        id: row,
        vector: [...vector],
        payload: { tenant, project, model },
      }))
      await client.upsert(name, { wait: true, points })
    }
  }

  const removeFrom = async (name: string, rows: readonly number[]): Promise<void> => {
    for (const points of batches(rows, batchRows)) {
      await unlessMissing(client.delete(name, { wait: true, points: [...points] }))
    }
  }

  const existingCollections = async (): Promise<string[]> => {
    const { collections } = await client.getCollections()
    return collections.map(({ name }) => name).filter(names.isOurs)
  }

  return {
    put: (vectors, model) =>
      withReadableErrors(async () => {
        for (const [size, group] of bySize(vectors)) {
          try {
            await upsert(group, model, size)
          } catch (error) {
            if (!isMissing(error)) throw error
            // The collection was removed since it was created.
            prepared.delete(names.of(size))
            await upsert(group, model, size)
          }
          const rows = group.map(({ row }) => row)
          for (const name of await existingCollections())
            if (name !== names.of(size)) await removeFrom(name, rows)
        }
      }),
    remove: (rows) =>
      withReadableErrors(async () => {
        if (rows.length > 0) for (const name of await existingCollections()) await removeFrom(name, rows)
      }),
    nearest: (query, { model, projects, limit }) =>
      withReadableErrors(async () => {
        if (limit < 1 || projects?.length === 0) return []
        const ofProjects = projects && [{ key: 'project', match: { any: [...projects] } }]
        const filter = { must: [...ownedBy(tenant, model), ...(ofProjects ?? [])] }
        const answer = await unlessMissing(
          client.query(names.of(query.length), { query: [...query], filter, limit, with_payload: false }),
        )
        return validScores(answer, limit).map(([row, similarity]) => ({ row, similarity }))
      }),
    similarities: (query, model, rows) =>
      withReadableErrors(async () => {
        const found = new Map<number, number>()
        for (const batch of batches(rows, batchRows)) {
          const filter = { must: [...ownedBy(tenant, model), { has_id: [...batch] }] }
          const answer = await unlessMissing(
            client.query(names.of(query.length), {
              query: [...query],
              filter,
              limit: batch.length,
              with_payload: false,
              params: { exact: true },
            }),
          )
          for (const [row, similarity] of validScores(answer, batch.length)) found.set(row, similarity)
        }
        return found
      }),
  }
}

async function connect(
  { url: address, key }: QdrantParts,
  load: () => Promise<ClientPackage>,
): Promise<QdrantClient> {
  const url = serverUrl(address)
  if (!(url instanceof URL)) throw unavailable(`memory.qdrant_url ${url.problem}`)
  const { QdrantClient: Client } = await load().catch((cause: unknown) => {
    const problem =
      'the package @qdrant/js-client-rest is not installed; run `npm install @qdrant/js-client-rest@1.18.0` next to contextd'
    throw unavailable(problem, cause)
  })
  const secret = key?.()
  return new Client({
    url: url.origin,
    // By default, the client uses port 6333 and no path prefix.
    port: url.port === '' ? null : Number(url.port),
    prefix: url.pathname.replace(/(?<!\/)\/+$/, ''),
    timeout: timeoutMs,
    // The check would request the version and write to the console.
    checkCompatibility: false,
    // With `apiKey`, the client writes a warning to the console if the connection is unencrypted, even on this
    // machine.
    ...(secret !== undefined && { headers: { 'api-key': secret } }),
  })
}

async function createCollection(client: QdrantClient, name: string, size: number): Promise<void> {
  const isThere = async (): Promise<boolean> => (await client.collectionExists(name)).exists
  if (!(await isThere())) {
    try {
      await client.createCollection(name, { vectors: { size, distance: 'Cosine' } })
    } catch (error) {
      // Another process was faster.
      if (!(await isThere())) throw error
    }
  }
  // Creating an existing index changes nothing.
  for (const field_name of indexedFields) {
    await client.createPayloadIndex(name, { wait: true, field_name, field_schema: 'keyword' })
  }
}

interface CollectionNames {
  of(dimension: number): string
  isOurs(name: string): boolean
}

/** `id` separates the stores of several machines that share a Qdrant. */
function collectionNames(tenant: string, kind: VectorKind, id: string): CollectionNames {
  const safe = /^[a-z0-9_]{1,40}$/.test(tenant)
  const owner = safe ? tenant : `.${createHash('sha256').update(tenant).digest('hex').slice(0, 32)}`
  const start = `contextd-${owner}-${kind}-${id}-`
  return { of: (dimension) => start + dimension, isOurs: (name) => name.startsWith(start) }
}

function ownedBy(tenant: string, model: string): { key: string; match: { value: string } }[] {
  return [
    { key: 'tenant', match: { value: tenant } },
    { key: 'model', match: { value: model } },
  ]
}

function bySize(vectors: readonly StoredVector[]): Map<number, StoredVector[]> {
  const groups = new Map<number, StoredVector[]>()
  for (const one of vectors) {
    const group = groups.get(one.vector.length)
    if (group === undefined) groups.set(one.vector.length, [one])
    else group.push(one)
  }
  return groups
}

/** Rows and their similarities, ignoring malformed entries: a server may return anything. */
function validScores(
  answer: { readonly points: readonly { readonly id: unknown; readonly score: unknown }[] } | undefined,
  limit: number,
): [number, number][] {
  return (answer?.points ?? []).slice(0, limit).flatMap(({ id, score }): [number, number][] => {
    const isValid = Number.isSafeInteger(id) && typeof score === 'number' && Math.abs(score) <= maxCosine
    return isValid ? [[id as number, score]] : []
  })
}

/** Allows for rounding errors. */
const maxCosine = 1.001

function isMissing(error: unknown): boolean {
  return (error as { status?: number }).status === 404
}

/** Undefined if the collection does not exist, because nothing was ever stored. */
async function unlessMissing<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

/** Reports failures without the server's own words. */
async function withReadableErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const { status, name, cause } = error as { status?: number; name?: string; cause?: { code?: string } }
    if (status === 401 || status === 403)
      throw unavailable(`it refuses the key (${status}); see memory.qdrant_key`)
    if (status !== undefined) throw unavailable(`it responded with status ${status}`)
    if (name === 'QdrantClientTimeoutError') throw unavailable(`it took longer than ${timeoutMs} ms`)
    throw unavailable(cause?.code === undefined ? `it failed (${name})` : `no connection (${cause.code})`)
  }
}

function unavailable(problem: string, cause?: unknown): ContextdError {
  return new ContextdError('VECTORS_UNAVAILABLE', { problem }, { cause })
}
