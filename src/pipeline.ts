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
 * The product on one screen. A call goes down this list, its result comes back up:
 * scrubbed, then cut to its budget, then recorded as the agent will see it.
 */
export function createPipeline(stages: PipelineStages): Next {
  return runStages([
    stages.audit, //    write down that it was asked; refuse if that fails
    stages.identity, // who is calling, and how sure are we
    stages.policy, //   may this agent do this
    stages.budget, //   how much answer may go into a context window
    stages.scrub, //    no secret leaves
    stages.dispatch, // do it
  ])
}
