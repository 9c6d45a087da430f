/** Ports of one run of the daemon: a flag takes precedence over the environment, that over the configuration. */

import { ContextdError } from '../../core/errors/errors.ts'
import type { Config } from './config-schema.ts'

export interface Ports {
  readonly http?: number | undefined
  readonly grpc?: number | undefined
}

/** Throws CONFIG_INVALID if a variable is not a port. */
export function portsFor(flags: Ports, env: NodeJS.ProcessEnv): Ports {
  return {
    http: flags.http ?? portIn('CONTEXTD_PORT', env),
    grpc: flags.grpc ?? portIn('CONTEXTD_GRPC_PORT', env),
  }
}

function portIn(name: string, env: NodeJS.ProcessEnv): number | undefined {
  const text = env[name]
  if (!text) return undefined
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text)
  throw new ContextdError('CONFIG_INVALID', {
    problem: `the environment variable ${name} must be a whole number from 0 to 65535`,
    hint: `Correct or unset ${name}.`,
  })
}

export function withPorts(config: Config, { http, grpc }: Ports): Config {
  return {
    ...config,
    http: { ...config.http, port: http ?? config.http.port },
    control: { ...config.control, port: grpc ?? config.control.port },
  }
}
