/** The lists of a server on one connection, cached until the server reports a change. */

import { isJsonObject, type JsonObject } from '@contextd/shared/json/value'
import type { PayloadList } from '../../core/tool.ts'
import { ConnectionLost, type Connection, type Notice } from './connection.ts'

export type ServerListKind = 'tools' | PayloadList

export interface ServerLists {
  /** The list as the server sent it; empty if the server does not support it. */
  list(what: ServerListKind): Promise<readonly JsonObject[]>
  /** The cached list. */
  cached(what: ServerListKind): readonly JsonObject[] | undefined
  /** Drops the list that the notice says has changed. */
  onNotice(notice: Notice): void
}

const methods = {
  tools: { method: 'tools/list', capability: 'tools' },
  prompts: { method: 'prompts/list', capability: 'prompts' },
  resources: { method: 'resources/list', capability: 'resources' },
  resourceTemplates: { method: 'resources/templates/list', capability: 'resources' },
} as const satisfies Record<ServerListKind, { method: string; capability: string }>

/** No honest server has more; a malicious one could paginate forever. */
const maxPages = 100
const maxItems = 5000
/** JSON length of all pages together. */
const maxChars = 16 << 20

export interface Listed {
  readonly items: readonly JsonObject[]
  /** False if the list was cut at a limit. */
  readonly isWhole: boolean
}

/** Fetches all pages of a list. */
export async function fetchList(
  connection: Connection,
  what: ServerListKind,
  timeoutMs: number,
): Promise<Listed> {
  const { method, capability } = methods[what]
  if (!isJsonObject(connection.capabilities[capability])) return { items: [], isWhole: true }
  const signal = AbortSignal.timeout(timeoutMs)
  const items: JsonObject[] = []
  let cursor: string | undefined
  let chars = 0
  for (let page = 0; page < maxPages && items.length <= maxItems; page += 1) {
    const params: JsonObject = cursor === undefined ? {} : { cursor }
    const result = await connection.request(method, params, { signal, asks: [] }).catch((error: unknown) => {
      throw signal.aborted ? new ConnectionLost('it does not respond', { sent: true }) : error
    })
    const listed = result[what]
    for (const item of Array.isArray(listed) ? listed.slice(0, maxItems + 1) : []) {
      if (isJsonObject(item)) items.push(item)
    }
    if (typeof result.nextCursor !== 'string')
      return { items: items.slice(0, maxItems), isWhole: items.length <= maxItems }
    chars += JSON.stringify(listed ?? null).length
    if (chars > maxChars) break
    cursor = result.nextCursor
  }
  return { items: items.slice(0, maxItems), isWhole: false }
}

export function createServerLists(connection: Connection, timeoutMs: number): ServerLists {
  const lists = new Map<ServerListKind, Promise<readonly JsonObject[]>>()
  const cached = new Map<ServerListKind, readonly JsonObject[]>()

  const fetch = async (what: ServerListKind): Promise<readonly JsonObject[]> =>
    (await fetchList(connection, what, timeoutMs)).items

  const forget = (what: ServerListKind): void => {
    lists.delete(what)
    cached.delete(what)
  }

  return {
    list(what) {
      const existing = lists.get(what)
      if (existing !== undefined) return existing
      const asked = fetch(what)
      lists.set(what, asked)
      asked.then(
        (listed) => lists.get(what) === asked && cached.set(what, listed),
        () => lists.get(what) === asked && lists.delete(what),
      )
      return asked
    },
    cached: (what) => cached.get(what),
    onNotice(notice) {
      if (notice.kind !== 'list') return
      forget(notice.list)
      if (notice.list === 'resources') forget('resourceTemplates')
    },
  }
}
