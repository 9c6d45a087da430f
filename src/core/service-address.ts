/** The scope of `net:connect:`: one TCP port of the user's own machine. */
export interface ServiceAddress {
  readonly host: '127.0.0.1' | '::1'
  readonly port: number
}

/** The port of the proxy inside a sandbox, which no service can have there. */
const proxyPort = 3128

/** In words that follow “must be”. */
export const serviceAddressRule = `127.0.0.1:<port> or [::1]:<port>, with a port from 1024 to 65535 other than ${proxyPort}`

/**
 * Undefined for anything else: no names, which could resolve to another address tomorrow, no other spelling of an
 * address, and no port that an ordinary program cannot open inside the sandbox.
 */
export function parseServiceAddress(text: string): ServiceAddress | undefined {
  const [, host, digits] = /^(127\.0\.0\.1|\[::1\]):([1-9]\d{3,4})$/.exec(text) ?? []
  const port = Number(digits)
  if (host === undefined || port < 1024 || port > 65_535 || port === proxyPort) return undefined
  return { host: host === '127.0.0.1' ? host : '::1', port }
}
