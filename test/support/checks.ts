import type { RunCheck } from '../../src/core/checks.ts'
import type { TextChecks } from '../../src/core/findings.ts'
import { performCheck, type Checks } from '../../src/stages/scrub/checks/perform-check.ts'

/** Checks everything synchronously in this thread, regardless of size. */
export function checkHere(checks: TextChecks & Partial<Checks>): RunCheck {
  return ((check: Parameters<typeof performCheck>[0], whose: Parameters<typeof performCheck>[1]) =>
    performCheck(check, whose, { prepareKnown: () => 0, ...checks })) as RunCheck
}
