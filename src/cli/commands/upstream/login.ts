/** `ctxd upstream login|logout`: sign-ins to remote servers. */

import { ContextdError } from '../../../core/errors/errors.ts'
import { requireOperator } from '@contextd/shared/operator'
import { note, printJson, printLine, type CliIo, type JsonOption } from '@contextd/shared/cli/output'
import { withRecords, withRuntime } from '../../support/with-runtime.ts'

/** The user approves in a browser, which they open themselves. */
export async function loginUpstream(name: string, { json }: JsonOption, io: CliIo): Promise<void> {
  await requireOperator({ ...io, question: `Sign in to ${name}, for every agent that may use it` })
  await withRuntime(io, ({ upstream }) =>
    upstream.signIn(
      name,
      (address) => note(`open this address in a browser on this machine: ${address.href}`, io),
      // Only the user cancels it, by ending the program; otherwise it times out.
      new AbortController().signal,
    ),
  )
  await withRecords(io, ({ event }) => event('upstream-signed-in', { server: name }))
  if (json) printJson({ signed_in: name }, io)
  else printLine(`Signed in to ${name}.`, io)
}

/** Deletes the local sign-in; what the server stores is not affected. */
export async function logoutUpstream(name: string, { json }: JsonOption, io: CliIo): Promise<void> {
  await requireOperator({ ...io, question: `Delete the sign-in to ${name}` })
  const wasThere = await withRuntime(io, ({ upstream }) => upstream.signOut(name))
  if (!wasThere) throw new ContextdError('NOT_FOUND', { what: `sign-in to ${name}`, name })
  await withRecords(io, ({ event }) => event('upstream-signed-out', { server: name }))
  if (json) printJson({ signed_out: name }, io)
  else printLine(`Signed out of ${name}.`, io)
}
