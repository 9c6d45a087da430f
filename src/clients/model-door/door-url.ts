/** The base URL that puts a client behind the model door: `http://127.0.0.1:<port>/model/<key>/<provider>`. */

import type { Config } from '../../platform/config/config-schema.ts'

export interface DoorUrl {
  readonly port: number
  readonly key: string
  readonly provider: string
}

/** The door of this user: where it listens, and whether a key opens it. */
export interface LocalDoor {
  readonly port: number
  isKey(key: string): boolean
}

export function doorUrl({ port, key, provider }: DoorUrl): string {
  return `http://127.0.0.1:${port}/model/${key}/${provider}`
}

const shape = /^http:\/\/127\.0\.0\.1:(\d{1,5})\/model\/([\w-]{8,128})\/([a-z0-9-]{1,32})\/?$/

/** Undefined where the URL leads anywhere else. Only one spelling is accepted: what reads it must agree with the client. */
export function readDoorUrl(url: string | undefined): DoorUrl | undefined {
  const [, port, key, provider] = shape.exec(url ?? '') ?? []
  if (port === undefined || key === undefined || provider === undefined) return undefined
  return { port: Number(port), key, provider }
}

/** Addresses under which a daemon answers on 127.0.0.1 too. */
const onLoopback: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '0.0.0.0', '::'])

/** Why no client can use the door with this configuration; undefined where it can. */
export function doorObstacle({ host, port, tls }: Config['http']): string | undefined {
  if (tls) return 'http.tls is on, and the model door needs plain HTTP on this machine'
  if (port === 0) return 'http.port is 0, so the address changes with every start'
  if (!onLoopback.has(host)) return `http.host is ${host}, and the model door answers on 127.0.0.1 only`
  return undefined
}
