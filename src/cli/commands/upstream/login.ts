/** `ctxd upstream login|logout`: what servers on the network know us by. */

import { ContextdError } from '../../../core/errors.ts'
import { requireOperator } from '../../../platform/operator.ts'
import { note, printJson, printLine, type CliIo, type JsonOption } from '../../ui/output.ts'
import { withRecords, withRuntime } from '../../with-runtime.ts'

/** The person says yes in a browser, which they open themselves. */
export async function loginUpstream(name: string, { json }: JsonOption, io: CliIo): Promise<void> {
  await requireOperator({ ...io, question: `Sign in to ${name}, for every agent that may use it` })
  await withRuntime(io, ({ upstream }) =>
    upstream.signIn(
      name,
      (address) => note(`open this address in a browser on this machine: ${address.href}`, io),
      // Nobody gives it up but the person, who ends the program with it; left alone it gives up by itself.
      new AbortController().signal,
    ),
  )
  await withRecords(io, ({ event }) => event('upstream-signed-in', { server: name }))
  if (json) printJson({ signed_in: name }, io)
  else printLine(`Signed in to ${name}.`, io)
}

/** Forgets the sign-in here; what the server keeps of it is its own affair. */
export async function logoutUpstream(name: string, { json }: JsonOption, io: CliIo): Promise<void> {
  await requireOperator({ ...io, question: `Forget the sign-in to ${name}` })
  const wasThere = await withRuntime(io, ({ upstream }) => upstream.signOut(name))
  if (!wasThere) throw new ContextdError('NOT_FOUND', { what: `sign-in to ${name}` })
  await withRecords(io, ({ event }) => event('upstream-signed-out', { server: name }))
  if (json) printJson({ signed_out: name }, io)
  else printLine(`Signed out of ${name}.`, io)
}
