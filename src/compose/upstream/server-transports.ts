/** How a server is reached: as a child process, in the sandbox or not, or over the network. */

import { dirname, join } from 'node:path'

import { ContextdError } from '../../core/errors/errors.ts'
import type { Connection, ConnectOptions } from '../../tools/upstream/connection.ts'
import type { SignIns } from '../../tools/upstream/http/sign-ins.ts'
import type { UpstreamServer } from '../../tools/upstream/server.ts'
import { projectVariable, resolveServer } from '../../tools/upstream/servers/variables.ts'
import type { UpstreamParts } from './upstream.ts'

export interface ServerTransports {
  connect(server: UpstreamServer, options: ConnectOptions): Promise<Connection>
  signIn(server: UpstreamServer, show: (address: URL) => void, signal: AbortSignal): Promise<void>
  /** False if there was nothing to delete. */
  signOut(name: string): Promise<boolean>
}

export function openServerTransports(parts: UpstreamParts): ServerTransports {
  const { env, project, secret, store, paths, tenant, clock, startConfined } = parts
  const variables = { ...env, [projectVariable]: project }
  const filledIn = (server: UpstreamServer): UpstreamServer =>
    resolveServer(server, { env: variables, secret })
  const signIns = async (): Promise<SignIns> => {
    const { createSignIns } = await import('../../tools/upstream/http/sign-ins.ts')
    return createSignIns(store, join(paths.keys, 'sign-ins.key'), tenant, clock)
  }
  return {
    async connect(declared, options) {
      const { name, transport, protocol, role, file } = filledIn(declared)
      if (transport.kind !== 'stdio') {
        const { connectHttp } = await import('../../tools/upstream/http/connect.ts')
        return connectHttp(transport, protocol, { name, signIns: await signIns(), clock }, options)
      }
      const { connectStdio } = await import('../../tools/upstream/stdio/connect.ts')
      const confined = transport.sandbox === undefined ? {} : { startConfined: await startConfined(name) }
      // Files in a project may come from a stranger or an agent, and `npx` or `python -m` there would run them with
      // the user's rights and credentials. The sandbox provides neither.
      const folder = role === 'user' && transport.sandbox === undefined ? dirname(file) : project
      return connectStdio(transport, protocol, { project: folder, env, ...confined }, options)
    },
    async signIn(declared, show, signal) {
      const { name, transport, protocol } = filledIn(declared)
      if (transport.kind === 'stdio') {
        throw new ContextdError('USAGE', {
          problem: `${name} is a program on this machine: it has no sign-in`,
        })
      }
      const { signIn } = await import('../../tools/upstream/http/sign-in.ts')
      await signIn({ name, transport, protocol, signIns: await signIns(), clock, show, signal })
    },
    signOut: async (name) => (await signIns()).remove(name),
  }
}
