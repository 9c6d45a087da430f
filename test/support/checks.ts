import type { RunCheck } from '../../src/core/checks.ts'
import type { TextChecks } from '../../src/core/findings.ts'
import { performCheck } from '../../src/stages/scrub/checks/perform-check.ts'

/** Checks everything at once and here, whatever its size. */
export function checkHere(checks: TextChecks): RunCheck {
  return ((check: Parameters<typeof performCheck>[0], whose: Parameters<typeof performCheck>[1]) =>
    performCheck(check, whose, checks)) as RunCheck
}
