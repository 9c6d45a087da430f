import type { Stage } from './core/stage.ts'
import { runStages, type Next } from './core/stage.ts'

/** The stages by name, each already given what it needs. */
export interface PipelineStages {
  readonly audit: Stage
  readonly identity: Stage
  readonly policy: Stage
  readonly budget: Stage
  readonly scrub: Stage
  readonly dispatch: Stage
}

/**
 * The product on one screen. A call passes this list from top to bottom, its result from bottom to top: scrubbed, then
 * shortened to its budget, then recorded as the agent will see it.
 */
export function createPipeline(stages: PipelineStages): Next {
  return runStages([
    stages.audit, //    record the request; refuse it if that fails
    stages.identity, // who is calling, and how reliably do we know
    stages.policy, //   may this agent do this
    stages.budget, //   how long may the answer be
    stages.scrub, //    replace secrets with tokens; give allowed tools the values
    stages.dispatch, // run it
  ])
}
