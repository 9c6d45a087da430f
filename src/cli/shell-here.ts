import type { OutputPart } from '../clients/claude-code/hooks/scrub-gate.ts'
import { LOCAL_TENANT } from '../core/call.ts'
import { cleanPart } from '../core/findings.ts'
import type { Finding, Scrubbed } from '../core/ports.ts'
import { answerHere, type HookAnswer, type HookRequest } from './hook-here.ts'

/**
 * Where no contextd that runs answers. Where the store cannot be opened either, as in the sandbox that the client may put around its
 * shell, secrets lose their numbers: there is nowhere to keep what they stand for.
 */
export async function scrubHere(
  request: HookRequest,
  part: OutputPart,
  project: string,
): Promise<HookAnswer> {
  try {
    // What we would say on stderr would stand in the output of the command.
    return await answerHere(request, () => {})
  } catch {
    return { output: { text: await withoutStore(part, project) } }
  }
}

async function withoutStore({ before, text }: OutputPart, project: string): Promise<string> {
  const { openScrubber } = await import('../stages/scrub/open-scrubber.ts')
  const { scrubber } = await openScrubber({ env: process.env, cwd: project })
  const look = (whole: string): Scrubbed => {
    const scrubbed = scrubber.scrub(whole, { tenant: LOCAL_TENANT, session: 'shell' })
    const unnumbered = ({ rule, start, end }: Finding): Finding => ({ rule, start, end, token: '[SECRET]' })
    return { ...scrubbed, findings: scrubbed.findings.map(unnumbered) }
  }
  return cleanPart(text, look, { before }).text
}
