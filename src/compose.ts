/** The composition root: builds store, engines, tools and pipeline for the daemon, the stdio server and the command line. */

import { randomBytes } from 'node:crypto'

import { openCalls, openSessions } from './compose/calls.ts'
import { openFoundation, type Foundation } from './compose/foundation.ts'
import { openModel } from './compose/model.ts'
import type { ComposeOptions, Runtime } from './compose/runtime.ts'
import { warnWhereOff } from './compose/sandbox.ts'
import { openPipeline } from './compose/stages.ts'
import { openToolSet, type ToolSet } from './compose/tool-set.ts'
import { createModelKeys } from './platform/model-keys.ts'
import { pruneAutomatic } from './platform/storage/checkpoint-rows.ts'
import { createTracing } from './platform/telemetry/tracing.ts'
import { keepRetention } from './stages/audit/keep-retention.ts'
import { createModelUsage } from './stages/budget/model-usage.ts'
import { createAgentInstances } from './stages/identity/agent-instances.ts'
import { createAgentTokens } from './stages/identity/agent-tokens.ts'

export { openRecords, type Records } from './compose/records.ts'
export type { CallRequest, ComposeOptions, Runtime } from './compose/runtime.ts'

export async function composeRuntime(options: ComposeOptions): Promise<Runtime> {
  const base = await openFoundation(options)
  const toolSet = openToolSet(base, options, () => runtime)
  warnWhereOff(base)
  const { env, paths, project, config, store, tenant, clock, log, trust, rules, audit } = base
  const { scrub, scrubber, privacy } = base
  const { catalogue, memory, tools, upstream } = toolSet
  const tracing = createTracing({ scrub, log })
  const sessions = openSessions(base, toolSet)
  const model = openModel(base)
  const agentInstances = createAgentInstances(base, clock)
  const stopRetention = keepRecent(base, toolSet, [
    sessions.prune,
    model.restores.prune,
    agentInstances.prune,
    createModelUsage(store, tenant, clock).prune,
  ])

  const runtime: Runtime = {
    env,
    paths,
    project,
    config,
    store,
    log,
    trust,
    rules,
    audit,
    catalogue,
    handle: tracing.around(openPipeline(base, toolSet, model)),
    startTracing: tracing.start,
    tokens: createAgentTokens(store, tenant, clock, randomBytes),
    modelKeys: createModelKeys(store, tenant, clock, randomBytes),
    agentInstances,
    know: (value) => scrubber.know(value, 'model-credential'),
    sessions,
    ...openCalls(base, toolSet, options.agent),
    scrub,
    scrubbed: scrubber.scrub,
    valuesOf: base.secrets.valuesOf,
    check: base.checks.check,
    privacy,
    memory,
    onListChanged(listener) {
      const changing = [rules.onChange, tools.user.onChanged, upstream.gateway.onListChanged]
      const stops = changing.map((listen) => listen(listener))
      return () => stops.forEach((stop) => stop())
    },
    sandbox: tools.sandbox.state,
    upstream,
    async close() {
      await tracing.flush()
      await Promise.all([tools.close(), upstream.close(), base.checks.close()])
      stopRetention()
      rules.close()
      audit.flush()
      store.close()
    },
  }
  return runtime
}

/** Removes what is older than it may be, until it is stopped. */
function keepRecent(
  { config, clock, log, audit, secrets, privacy, store, tenant, vault }: Foundation,
  { tools, memory }: ToolSet,
  prune: readonly ((before: number) => number)[],
): () => void {
  return keepRetention({
    days: config.audit.retention_days,
    clock,
    report: log,
    prune: [
      audit.prune,
      ...prune,
      secrets.prune,
      tools.user.prune,
      privacy.prune,
      memory.branches.prune,
      (before) => pruneAutomatic(store, tenant, before),
      ...(vault === undefined ? [] : [(before: number) => vault.prune(tenant, before)]),
    ],
  })
}
