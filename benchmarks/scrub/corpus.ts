import { carrierCases } from './carriers.ts'
import type { Case } from './case.ts'
import { encodingCases } from './encodings.ts'
import { evasionCases } from './evasions.ts'
import { kindCases } from './kinds.ts'
import { namedCarrierCases } from './named-carriers.ts'
import { privateKeyCases } from './private-keys.ts'
import { toolOutputCases } from './tool-outputs.ts'

/** All labelled texts, the same in every run. */
export function corpus(): Case[] {
  return [
    ...kindCases(),
    ...carrierCases(),
    ...namedCarrierCases(),
    ...encodingCases(),
    ...evasionCases(),
    ...privateKeyCases(),
    ...toolOutputCases(),
  ]
}
