/** The composition root: builds store, engines, tools and pipeline for the daemon, the stdio server and the command line. */

import { randomBytes } from 'node:crypto'

import { openCalls, openSessions } from './compose/calls.ts'
import { withControlTools } from './compose/catalogue.ts'
import { openFoundation, type Foundation } from './compose/foundation.ts'
import { openModel } from './compose/model.ts'
import type { ComposeOptions, Runtime, RuntimeCore } from './compose/runtime.ts'
import { warnIfOff } from './compose/sandbox.ts'
import { openStages } from './compose/stages.ts'
import { openToolSet, type ToolSet } from './compose/tool-set.ts'
import { createPipeline } from './pipeline.ts'
import { createModelKeys } from './platform/secrets/model-keys.ts'
import { pruneAutomatic } from './platform/storage/checkpoint-rows.ts'
import { createTracing } from './platform/telemetry/tracing.ts'
import { keepRetention } from './stages/audit/keep-retention.ts'
import { createModelUsage } from './stages/budget/model-usage.ts'
import { createAgentInstances } from './stages/identity/agent-instances.ts'
import { createAgentTokens } from './stages/identity/agent-tokens.ts'

export { openRecords, type Records } from './compose/records.ts'
export type { CallRequest, ComposeOptions, Runtime, RuntimeCore } from './compose/runtime.ts'

export async function composeRuntime(options: ComposeOptions): Promise<Runtime> {
  const base = await openFoundation(options)
  const toolSet = openToolSet(base, options)
  warnIfOff(base)
  const sessions = openSessions(base, toolSet)
  const agentInstances = createAgentInstances(base, base.clock)
  const core = openCore(base, toolSet, { sessions, agentInstances })
  const catalogue = withControlTools(toolSet.catalogue, options.control?.(core) ?? [])
  const model = openModel(base)
  const tracing = createTracing(base)
  const { store, rules, audit, checks } = base
  const { tools, upstream } = toolSet
  const stopRetention = keepRecent(base, toolSet, [
    sessions.prune,
    model.restores.prune,
    agentInstances.prune,
    createModelUsage(store, base.tenant, base.clock).prune,
  ])
  return {
    ...core,
    ...openCalls(base, { ...toolSet, catalogue }, options.agent),
    catalogue,
    handle: tracing.around(createPipeline(openStages(base, { ...toolSet, catalogue }, model))),
    startTracing: tracing.start,
    async close() {
      await tracing.flush()
      await Promise.all([tools.close(), upstream.close(), checks.close()])
      stopRetention()
      rules.close()
      audit.flush()
      store.close()
    },
  }
}

/** Everything but the calls themselves. */
function openCore(
  base: Foundation,
  { catalogue, memory, tools, upstream }: ToolSet,
  opened: Pick<RuntimeCore, 'sessions' | 'agentInstances'>,
): RuntimeCore {
  const { env, paths, project, config, store, tenant, clock, log, trust, rules, audit } = base
  const { scrub, scrubber, privacy, secrets, checks } = base
  return {
    ...opened,
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
    tokens: createAgentTokens(store, tenant, clock, randomBytes),
    modelKeys: createModelKeys(store, tenant, clock, randomBytes),
    know: (value) => scrubber.know(value, 'model-credential'),
    scrub,
    scrubbed: scrubber.scrub,
    valuesOf: secrets.valuesOf,
    check: checks.check,
    privacy,
    memory,
    onListChanged(listener) {
      const changing = [
        rules.onChange,
        tools.user.onChanged,
        upstream.gateway.onListChanged,
        tools.commands.onFirst,
      ]
      const stops = changing.map((listen) => listen(listener))
      return () => stops.forEach((stop) => stop())
    },
    sandbox: tools.sandbox.state,
    upstream,
  }
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
