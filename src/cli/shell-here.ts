import type { OutputPart } from '../clients/claude-code/hooks/scrub-gate.ts'
import { LOCAL_TENANT } from '../core/call.ts'
import { cleanPart } from '../core/findings.ts'
import type { Finding, Scrubbed } from '../core/ports.ts'
import { answerHere, type HookAnswer, type HookRequest } from './hook-here.ts'

/**
 * Used if no contextd is running. If the store cannot be opened either, as in the sandbox that the client may use
 * for its shell, tokens have no numbers, because there is nowhere to store what they represent.
 */
export async function scrubHere(
  request: HookRequest,
  part: OutputPart,
  project: string,
): Promise<HookAnswer> {
  try {
    // Messages on stderr would appear in the command's output.
    return await answerHere(request, () => {})
  } catch {
    return { output: { text: await withoutStore(part, project) } }
  }
}

async function withoutStore({ before, text }: OutputPart, project: string): Promise<string> {
  const { openScrubber } = await import('../stages/scrub/open-scrubber.ts')
  const { scrubber } = await openScrubber({ env: process.env, cwd: project })
  const look = (input: string): Scrubbed => {
    const scrubbed = scrubber.scrub(input, { tenant: LOCAL_TENANT, session: 'shell' })
    const unnumbered = ({ rule, start, end }: Finding): Finding => ({ rule, start, end, token: '[SECRET]' })
    return { ...scrubbed, findings: scrubbed.findings.map(unnumbered) }
  }
  return cleanPart(text, look, { before }).text
}
