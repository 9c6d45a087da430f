/** Decides where tokens may be replaced by their values, for the scrub stage and for tools. */

import { CONTROL_SERVER, OWN_SERVER, type Call } from '../core/call.ts'
import { tokensIn } from '../core/tokens/secret-forms.ts'
import type { Tool, WrittenFile } from '../core/tool.ts'
import { addNotes } from '../core/trail.ts'
import type { RuleSet } from '../stages/policy/rule-set.ts'
import { createGivenValues, type GivenValues } from '../stages/scrub/given-values.ts'
import type { KeptPolicy } from '../stages/scrub/kept-tokens.ts'
import type { SecretRegistry } from '../stages/scrub/registry.ts'
import { revealText, type RevealTerms } from '../stages/scrub/reveal.ts'

export interface RevealingParts {
  readonly secrets: Pick<SecretRegistry, 'valuesOf'>
  readonly rules: () => RuleSet
  readonly given: Pick<RevealedSecrets, 'add'>
}

/** The values revealed to each call; keyed by the trail, which all copies of a call share. */
export interface RevealedSecrets {
  add(call: Call, values: readonly string[]): void
  /** Whether an address or a header would transmit one of them. */
  isIn(call: Call, text: string): boolean
}

export function rememberRevealed(): RevealedSecrets {
  const byTrail = new WeakMap<Call['trail'], GivenValues>()
  return {
    add({ trail }, values) {
      if (values.length === 0) return
      const given = byTrail.get(trail) ?? createGivenValues()
      byTrail.set(trail, given)
      given.add(values)
    },
    isIn: ({ trail }, text) => byTrail.get(trail)?.isIn(text) === true,
  }
}

export interface Revealing {
  termsOf(call: Call): RevealTerms
  /** The file that the call writes, if its tool reports it and the caller may read it. */
  writtenFile(call: Call): Promise<WrittenFile | undefined>
  /** How to treat tokens that are not restored. */
  keptPolicy(call: Call): Promise<KeptPolicy>
  /** The text with the values that the rules reveal to this call. */
  reveal(call: Call, text: string): string
}

export function openRevealing({ secrets, rules, given }: RevealingParts): Revealing {
  const termsOf = (call: Call): RevealTerms => ({
    tool: call.server === OWN_SERVER ? call.tool : `${call.server}.${call.tool}`,
    granted: call.grants.some(({ kind }) => kind === 'secret:reveal'),
    rules: rules().agents.get(call.principal?.agent ?? '')?.reveal ?? [],
    runsCommands: call.resolvedTool?.needs.includes('shell:exec') === true,
  })
  return {
    termsOf,
    writtenFile: async (call) => call.resolvedTool?.written?.(call),
    async keptPolicy(call) {
      const { resolvedTool: tool } = call
      // The operator's own commands, and calls that dispatch refuses.
      if (call.server === CONTROL_SERVER || tool === undefined || tool.keepsTokens === true) return 'pass'
      if (tool.needs.includes('fs:write')) return 'refuse-write'
      return (await isReadOnly(tool, call)) ? 'note' : 'refuse'
    },
    reveal(call, text) {
      const values = secrets.valuesOf(call.session, tokensIn(text))
      const revealed = revealText(text, call.arguments, values, termsOf(call))
      addNotes(call.trail, revealed.notes)
      given.add(call, revealed.given)
      return revealed.value
    },
  }
}

async function isReadOnly(tool: Tool, call: Call): Promise<boolean> {
  return (await tool.isReadOnly?.(call)) ?? tool.definition.annotations?.readOnlyHint === true
}
