/** The base URL that routes a client through the model door: `http://127.0.0.1:<port>/model/<key>/<provider>`. */

import type { Config } from '../../platform/config/config-schema.ts'

export interface DoorUrl {
  readonly port: number
  readonly key: string
  readonly provider: string
}

/** This user's door: its port, and whether a key is valid. */
export interface LocalDoor {
  readonly port: number
  isKey(key: string): boolean
}

export function doorUrl({ port, key, provider }: DoorUrl): string {
  return `http://127.0.0.1:${port}/model/${key}/${provider}`
}

const shape = /^http:\/\/127\.0\.0\.1:(\d{1,5})\/model\/([\w-]{8,128})\/([a-z0-9-]{1,32})\/?$/

/** Undefined for any other URL. Only one spelling is accepted, because the URL must be read as the client reads it. */
export function readDoorUrl(url: string | undefined): DoorUrl | undefined {
  const [, port, key, provider] = shape.exec(url ?? '') ?? []
  if (port === undefined || key === undefined || provider === undefined) return undefined
  return { port: Number(port), key, provider }
}

/** Host settings with which the daemon also listens on 127.0.0.1. */
const onLoopback: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '0.0.0.0', '::'])

/** Why clients cannot use the door with this configuration; undefined if they can. */
export function doorObstacle({ host, port, tls }: Config['http']): string | undefined {
  if (tls) return 'http.tls is on, and the model door needs plain HTTP on this machine'
  if (port === 0) return 'http.port is 0, so the address changes with every start'
  if (!onLoopback.has(host)) return `http.host is ${host}, and the model door answers on 127.0.0.1 only`
  return undefined
}
