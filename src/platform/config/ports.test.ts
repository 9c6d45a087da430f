import { expect, test } from 'vitest'

import { configSchema } from './config-schema.ts'
import { portsFor, withPorts } from './ports.ts'

const config = configSchema.parse({})
const portsOf = (flags: Parameters<typeof portsFor>[0], env: NodeJS.ProcessEnv): number[] => {
  const { http, control } = withPorts(config, portsFor(flags, env))
  return [http.port, control.port]
}

test.each([
  [{}, {}, [7391, 7392]],
  [{}, { CONTEXTD_PORT: '8080' }, [8080, 7392]],
  [{ http: 0 }, { CONTEXTD_PORT: '8080', CONTEXTD_GRPC_PORT: '8081' }, [0, 8081]],
  [{ grpc: 1 }, { CONTEXTD_PORT: '', CONTEXTD_GRPC_PORT: '8081' }, [7391, 1]],
])('flags %j and environment %j give the ports %j', (flags, env, ports) => {
  expect(portsOf(flags, env)).toEqual(ports)
})

test.each(['x', '-1', '65536', '80.5', '8080 ', '0x50', '1e3'])('rejects CONTEXTD_PORT=%j', (text) => {
  expect(() => portsOf({}, { CONTEXTD_PORT: text })).toThrow(/CONTEXTD_PORT must be a whole number/)
  expect(portsOf({ http: 80 }, { CONTEXTD_PORT: text })).toEqual([80, 7392])
})
