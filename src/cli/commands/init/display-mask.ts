import type { CliIo } from '@contextd/shared/cli/output'
import { hideKey } from './door.ts'

const session = { tenant: 'local', session: 'cli' }

/** Replaces secrets and model door keys in what a command is about to print. */
export async function openDisplayMask(io: CliIo): Promise<(text: string) => string> {
  const { openScrubber } = await import('../../../stages/scrub/open-scrubber.ts')
  const { scrubber } = await openScrubber({ env: io.env, cwd: io.cwd })
  return (text) => hideKey(scrubber.scrub(text, session).text)
}
