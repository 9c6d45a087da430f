import type { Runtime } from '../../compose.ts'
import type { Claims } from '../../core/call.ts'
import type { JsonObject } from '@contextd/shared/json/value'

/** A call, and what is proven about its caller. */
export interface ProvenCall {
  readonly claims: Pick<Claims, 'attested' | 'refused'>
  /** Without the signed attestation, which is no argument of the tool. */
  readonly arguments: JsonObject
  readonly clientSession?: string
  /** Called if the call ended with a question to the user and will be repeated. */
  readonly onRetry?: () => void
}

/** Logs and audits attestations that prove nothing. */
export interface AttestationRefusals {
  /** Agent and tool are empty if unknown. */
  report(problem: string, call: { readonly agent: string; readonly tool: string }): void
  /** Reports the call, which the identity stage will refuse. */
  forged(problem: string, tool: string, args: JsonObject): ProvenCall
}

export function createAttestationRefusals({
  audit,
  project,
  log,
}: Pick<Runtime, 'audit' | 'project' | 'log'>): AttestationRefusals {
  const report: AttestationRefusals['report'] = (problem, { agent, tool }) => {
    log('warn', 'an attestation was refused', { problem, agent, tool })
    audit.event('attestation-refused', { problem, agent, tool }, { project })
  }
  return {
    report,
    forged(problem, tool, args) {
      report(problem, { agent: '', tool })
      return { claims: { refused: { code: 'ATTESTATION_FORGED', problem } }, arguments: args }
    },
  }
}
