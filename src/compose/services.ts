/** Connects the programs of a command to granted services of the user's machine. */

import type { Call } from '../core/call.ts'
import type { Capability } from '../core/capability.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import { parseServiceAddress, type ServiceAddress } from '../core/service-address.ts'
import { ownPortReason } from '../platform/own-ports.ts'
import type { RequestReport } from '../tools/http/request-report.ts'
import type { ServiceReport } from '../tools/services/service-relay.ts'
import type { ShellBridge } from '../tools/shell/shell.ts'

/** By `host:port`. */
export type HostRefusals = Map<string, NonNullable<RequestReport['refusal']>>

/** Per command; installing a large project makes about a thousand. */
export const maxRequests = 10_000

/** What a deny rule excludes is no longer among the grants, as each names one address. */
export function servicesIn(grants: readonly Capability[]): ServiceAddress[] {
  const scopes = new Set(grants.flatMap(({ kind, scope }) => (kind === 'net:connect' ? (scope ?? []) : [])))
  return [...scopes].flatMap((scope) => parseServiceAddress(scope) ?? [])
}

export interface ServiceTerms {
  readonly services: readonly ServiceAddress[]
  readonly call: Call
  /** Of the sockets. */
  readonly folder: string
  readonly isOwnPort: (port: number) => boolean
  readonly onEvent: (name: string, details: JsonObject, call: Call) => void
}

/** The bridge with the services. Closes the bridge if they cannot be opened. */
export async function connectServices<
  Bridge extends Pick<ShellBridge, 'close'> & { readonly refused: HostRefusals },
>(
  bridge: Bridge,
  { services, call, folder, isOwnPort, onEvent }: ServiceTerms,
): Promise<Bridge & Pick<ShellBridge, 'services'>> {
  const { openServiceRelay } = await import('../tools/services/service-relay.ts')
  let count = 0
  const report = ({ sentBytes, receivedBytes, durationMs, ...rest }: ServiceReport): void => {
    count += 1
    // A command in a loop must not fill the audit log.
    if (count > maxRequests) throw new Error('one command made too many connections')
    const name = rest.host === '::1' ? '[::1]' : rest.host
    if (rest.outcome === 'own_port') bridge.refused.set(`${name}:${rest.port}`, { reason: ownPortReason })
    const sizes = { sent_bytes: sentBytes, received_bytes: receivedBytes, duration_ms: durationMs }
    onEvent('service-connection', { ...rest, ...sizes }, call)
  }
  try {
    const relay = await openServiceRelay({ folder, services, isOwnPort, report })
    const close = async (): Promise<void> => void (await Promise.all([relay.close(), bridge.close()]))
    return { ...bridge, services: relay.services, close }
  } catch (error) {
    await bridge.close()
    throw error
  }
}
