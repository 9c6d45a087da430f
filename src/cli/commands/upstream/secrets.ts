import type { LiteralSecret, LooksSecret } from '../../../tools/upstream/servers/literal-secrets.ts'
import { note, type CliIo } from '@contextd/shared/cli/output'

/** By the scrubber's findings and by the key's name: not every secret looks like one. */
export async function secretTest(io: CliIo): Promise<LooksSecret> {
  const { openScrubber } = await import('../../../stages/scrub/open-scrubber.ts')
  const { scrubber } = await openScrubber({ env: io.env, cwd: io.cwd })
  const session = { tenant: 'local', session: 'cli' }
  return (key, value) =>
    (value.length >= 8 && /token|secret|passw|api.?key|auth|credential/i.test(key)) ||
    scrubber.scrub(value, session, key).findings.length > 0
}

export function noteSecrets(secrets: readonly LiteralSecret[], file: string, io: CliIo): void {
  for (const { server, where, secret } of secrets) {
    note(
      `${server}: ${where} contains a plain-text credential. Run \`ctxd secret set ${secret}\`, then replace it with \${secret:${secret}} in ${file}`,
      io,
    )
  }
}
