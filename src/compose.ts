/** The composition root: builds store, engines, tools and pipeline for the daemon, the stdio server and the command line. */

import { randomBytes, randomUUID } from 'node:crypto'
import { resolve } from 'node:path'

import { CONTROL_SERVER, LOCAL_TENANT, OWN_SERVER, type Call, type Claims, type Client } from './core/call.ts'
import type { JsonObject } from './core/json.ts'
import type { Tool } from './core/tool.ts'
import { newTrail } from './core/trail.ts'
import { createCatalogue, ownTextsOf } from './compose/catalogue.ts'
import { createForesight } from './compose/foresight.ts'
import { openMemory } from './compose/memory.ts'
import { openRevealing } from './compose/revealing.ts'
import type { ComposeOptions, Runtime } from './compose/runtime.ts'
import { scrubbedLog } from './compose/scrubbed-log.ts'
import { openTools } from './compose/tools.ts'
import { openUpstream } from './compose/upstream.ts'
import { loadConfig } from './platform/config/load-config.ts'
import { createLog } from './platform/log.ts'
import { resolvePaths } from './platform/paths.ts'
import { ensurePrivateFolder } from './platform/private-folder.ts'
import { createSessions } from './platform/sessions.ts'
import { pruneAutomatic } from './platform/storage/checkpoint-rows.ts'
import { openStore } from './platform/storage/store.ts'
import { createTracing } from './platform/telemetry/tracing.ts'
import { createTrust } from './platform/trust.ts'
import { userName } from './platform/user-name.ts'
import { createPipeline } from './pipeline.ts'
import { isBuiltin } from './tools/builtin/registry.ts'
import { keepRetention } from './stages/audit/keep-retention.ts'
import { createAuditLog } from './stages/audit/log.ts'
import { auditStage } from './stages/audit/stage.ts'
import { createVault } from './stages/audit/vault.ts'
import { createRefs } from './stages/budget/refs.ts'
import { budgetStage } from './stages/budget/stage.ts'
import { loadTokenizer } from './stages/budget/tokenizer.ts'
import { dispatchStage } from './stages/dispatch/stage.ts'
import { createToolHost } from './stages/dispatch/tool-host.ts'
import { createAgentTokens } from './stages/identity/agent-tokens.ts'
import { identityStage } from './stages/identity/stage.ts'
import { createAccess } from './stages/policy/access.ts'
import { discoverRules } from './stages/policy/discover-rules.ts'
import { createRuleBook } from './stages/policy/rule-book.ts'
import { policyStage } from './stages/policy/stage.ts'
import type { ExplainOptions, Explanation } from './stages/scrub/explain.ts'
import { loadUserRules } from './stages/scrub/load-user-rules.ts'
import { rulesFor } from './stages/scrub/open-scrubber.ts'
import { createSecretRegistry } from './stages/scrub/registry.ts'
import { createPrivateContexts } from './stages/scrub/private-context/private-contexts.ts'
import { createScrubber } from './stages/scrub/scrubber.ts'
import { scrubStage } from './stages/scrub/stage.ts'

export { openRecords, type Records } from './compose/records.ts'
export type { CallRequest, ComposeOptions, Runtime } from './compose/runtime.ts'
export type { Explanation as PermissionExplanation } from './clients/permissions/explanation.ts'
export type { Finding as PermissionFinding } from './clients/permissions/finding.ts'
export { explainPermission, lintPermissions, permissionPorts } from './compose/permissions.ts'
export { openConfiguredSandbox } from './compose/sandbox.ts'
export type { Inspection, InspectedTool } from './tools/upstream/inspect.ts'
export type { Installer, PreparedTool } from './tools/install/installer.ts'
export type { Toolbox, ToolReport } from './tools/plugins/toolbox.ts'
export type { AuditEntry, AuditFilter } from './stages/audit/query.ts'
export type { AuditRecord } from './stages/audit/record.ts'
export { explain } from './stages/policy/explain.ts'
export { testRulesFile } from './stages/policy/rules-file.ts'
export { scrubJsonLine } from './stages/scrub/json-line.ts'
export { maskSecret } from './stages/scrub/mask.ts'
export { openScrubber, type OpenScrubber } from './stages/scrub/open-scrubber.ts'
export { builtinRules } from './stages/scrub/rule-list.ts'
export type { Explanation } from './stages/scrub/explain.ts'
export type { Progress as ScanProgress, ScanFinding, ScanReport } from './stages/scrub/scan/scan.ts'
export type { Scrubber } from './stages/scrub/scrubber.ts'
export type { SecretChoice, SecretRecord } from './stages/scrub/secret-store.ts'

/** Loaded when asked for: a client waits for the start of its server, and most never ask. */
export async function scanning(): Promise<typeof import('./stages/scrub/scan/scan.ts')> {
  return import('./stages/scrub/scan/scan.ts')
}

/** Likewise. */
export async function explainText(text: string, options: ExplainOptions): Promise<Explanation> {
  return (await import('./stages/scrub/explain.ts')).explainText(text, options)
}

const tenant = LOCAL_TENANT
const dayMs = 86_400_000

export async function composeRuntime(options: ComposeOptions): Promise<Runtime> {
  const { env } = options
  const clock = Date.now
  const user = userName()
  const paths = resolvePaths(env)
  ensurePrivateFolder(paths.state)

  // How the store is opened is the user's to say, and whether the project may say anything is in the store.
  const userConfig = loadConfig({ userFile: paths.configFile, isTrusted: () => false }).config
  const store = openStore(paths.database, { durability: userConfig.audit.durability })
  const trust = createTrust(store, tenant, clock)
  const isShared = options.shared === true || options.cwd === '/'
  const project = isShared ? resolve(options.cwd, userConfig.workspace.path) : options.cwd
  const { config, ignored } = loadConfig({ userFile: paths.configFile, project, isTrusted: trust.isTrusted })

  const own = await loadUserRules({
    userFile: config.scrub.rules_file,
    configFolder: paths.config,
    allowlists: config.scrub.allowlists,
    project,
    isTrusted: trust.isTrusted,
  })
  const secrets = createSecretRegistry({
    store,
    tenant,
    keysDir: paths.keys,
    clock,
    keepMs: config.scrub.forget_after_days * dayMs,
    report: (...line) => log(...line),
    passing: ['log', 'door'],
  })
  const scrubber = createScrubber({
    deadlineMs: config.scrub.deadline_ms,
    ...rulesFor(own),
    tokens: secrets,
  })
  const scrub = (text: string, session: string, key?: string): string =>
    scrubber.scrub(text, { tenant, session }, key).text
  const scrubForLog = (text: string, key?: string): string => scrub(text, 'log', key)
  const log =
    options.log === undefined
      ? createLog({ level: config.log.level, scrub: scrubForLog })
      : scrubbedLog(options.log, scrubForLog)
  if (ignored !== undefined) log('warn', `the project configuration ${ignored.why}`, { file: ignored.file })
  if (own.ignored !== undefined)
    log('info', `the secret rules of the project: ${own.ignored.why}`, { file: own.ignored.file })
  for (const warning of own.warnings) log('warn', warning)

  const auditFiles = { store, keysDir: paths.keys, headFile: paths.auditHead }
  const audit = createAuditLog({ ...auditFiles, clock, tenant, user, report: log })
  const noteFile = (name: string, details: JsonObject): void => {
    if (options.brief !== true || !name.endsWith('-ignored')) audit.event(name, details, { project })
  }
  const rules = createRuleBook({
    files: discoverRules(env, paths, project),
    isTrusted: trust.isTrusted,
    clock,
    log,
    onEvent: ({ kind, ...details }) => noteFile(`rules-${kind}`, { ...details }),
  })

  const count = await loadTokenizer(config.budget.tokenizer)
  const refs = createRefs({ store, clock, ttlMs: config.budget.ref_ttl_minutes * 60_000, count })
  const brought = options.tools ?? []
  const isBrought = (name: string): boolean => brought.some(({ definition }) => definition.name === name)
  const privacy = createPrivateContexts({ store, tenant, keysDir: paths.keys, clock })
  const memory = openMemory({
    config,
    project,
    store,
    clock,
    count,
    rules: rules.current,
    files: () => tools.files,
    secret: secrets.named,
    texts: { scrub: scrubber.scrub, privacy, lasting: secrets },
    log,
  })
  const tools = openTools({
    privacy,
    memory: memory.tools,
    config,
    paths,
    project,
    isShared,
    env,
    store,
    tenant,
    clock,
    count,
    isBrought,
    onEvent: (name, details, call) =>
      call === undefined
        ? audit.event(name, details, { project })
        : audit.event(
            name,
            { ...details, call: call.id },
            { project, session: call.session, agent: call.principal?.agent ?? '' },
          ),
  })
  const access = createAccess(rules.current)
  const upstream = openUpstream({
    config,
    paths,
    project,
    env,
    store,
    tenant,
    clock,
    count,
    trust,
    access,
    secret: secrets.named,
    startConfined: tools.startConfined,
    scrub: scrubForLog,
    transparent: options.transparent === true,
    isReserved: (name) => isBuiltin(name) || isBrought(name) || tools.user.find(name) !== undefined,
    log,
    onEvent: noteFile,
  })
  const { gateway } = upstream
  const builtin = [...tools.builtin, ...gateway.tools]
  let steering: readonly Tool[] | undefined
  const catalogue = createCatalogue(
    [...builtin, ...brought],
    tools.user,
    gateway,
    () => options.payloads ?? gateway.payloads(),
    () => (steering ??= options.control?.(runtime) ?? []),
  )
  const notes = config.sandbox.mode === 'off' ? ['the sandbox is off'] : []
  if (config.sandbox.mode === 'off') {
    log('warn', 'THE SANDBOX IS OFF: commands of agents run with all your rights', { file: paths.configFile })
    audit.event('sandbox-off', {}, { project })
  }
  const vault = config.audit.vault ? createVault({ ...auditFiles, clock }) : undefined
  /** A tool may repeat what it was given, and the client keeps what we log where other agents can look for it. */
  const causeOf = ({ session }: Call, error: unknown): string => {
    try {
      return privacy.mask(String(error), session, undefined).text
    } catch {
      return 'withheld: it could not be checked for private context'
    }
  }
  const crashed =
    (what: string) =>
    (call: Call, error: unknown): void =>
      log('error', what, { call: call.id, tool: call.tool, cause: causeOf(call, error) })

  const revealing = openRevealing({ secrets, rules: rules.current, find: catalogue.find })

  const tracing = createTracing({ scrub, log })
  const pipeline = createPipeline({
    audit: auditStage({
      log: audit,
      scrub: scrubber.scrub,
      privacy,
      recorded: ({ tool, server, arguments: args }) =>
        catalogue.find(tool, server === CONTROL_SERVER ? server : undefined)?.forRecord?.(args) ?? args,
      clock,
      outputChars: config.audit.output_chars,
      report: log,
    }),
    identity: identityStage(rules.current),
    policy: policyStage({
      rules: rules.current,
      catalogue,
      clock,
      approvals: tools.user.approvals,
    }),
    budget: budgetStage({
      store,
      refs,
      count,
      answerTokens: config.budget.answer_tokens,
      find: catalogue.find,
      sessionLimit: (call) =>
        rules.current().agents.get(call.principal?.agent ?? '')?.limits.tokens_per_session,
      branch: memory.branches,
    }),
    scrub: scrubStage({
      scrub: scrubber.scrub,
      privacy,
      valuesOf: secrets.valuesOf,
      introductions: secrets.introductions,
      termsOf: revealing.termsOf,
      writesFiles: revealing.writesFiles,
      ownTexts: ownTextsOf(() => (upstream.health().length === 0 ? tools.builtin : builtin)),
      ...(vault && { keepRaw: (call, raw) => vault.put(call, JSON.stringify(raw)) }),
      onFailure: crashed('the scrubber failed'),
    }),
    dispatch: dispatchStage({
      catalogue,
      clock,
      onCrash: crashed('a tool failed'),
      hostFor: (call) =>
        createToolHost(call, {
          scrub: scrubber.scrub,
          privacy,
          reveal: revealing.reveal,
          lasting: secrets,
          refs,
          sliceTokens: config.budget.answer_tokens,
          fetch: tools.fetchFor(call),
          survivingFor: memory.forTool,
        }),
    }),
  })

  const agent = options.agent ?? (env.CONTEXTD_DEFAULT_AGENT || env.GATEWAY_DEFAULT_AGENT)
  const environment: Claims = agent === undefined ? {} : { environment: agent }
  const foresee = createForesight(rules.current, catalogue.find)
  const scrubbedClient = ({ name, version, door }: Client): Client => ({
    name: scrub(name, 'log'),
    version: scrub(version, 'log'),
    door,
  })
  const sessions = createSessions(store, { tenant, project }, clock, randomUUID)
  const stopRetention = keepRetention({
    days: config.audit.retention_days,
    clock,
    report: log,
    prune: [
      audit.prune,
      sessions.prune,
      secrets.prune,
      tools.user.prune,
      privacy.prune,
      memory.branches.prune,
      (before) => pruneAutomatic(store, tenant, before),
      ...(vault === undefined ? [] : [(before: number) => vault.prune(tenant, before)]),
    ],
  })

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
    handle: tracing.around(pipeline),
    startTracing: tracing.start,
    tokens: createAgentTokens(store, tenant, clock, randomBytes),
    sessions: {
      begin: (client) => sessions.begin(scrubbedClient(client)),
      join: (client, ...which) => sessions.join(scrubbedClient(client), ...which),
      end(session) {
        sessions.end(session)
        scrubber.endSession(session)
        gateway.endSession(session)
        memory.branches.endSession(session)
      },
    },
    newCall: (request) => ({
      id: randomUUID(),
      tenant,
      project,
      user,
      server: (request.method === 'tool' ? catalogue.find(request.tool)?.server : undefined) ?? OWN_SERVER,
      arguments: {},
      grants: [],
      trail: newTrail(notes),
      deadline: clock() + config.limits.call_timeout_ms,
      ...request,
      claims: { ...environment, ...request.claims },
    }),
    foresee: (claims, tool) => foresee({ ...environment, ...claims }, tool),
    scrub,
    scrubbed: scrubber.scrub,
    privacy,
    memory,
    onListChanged(listener) {
      const stops = [
        rules.onChange(listener),
        tools.user.onChanged(listener),
        gateway.onListChanged(listener),
      ]
      return () => stops.forEach((stop) => stop())
    },
    sandbox: tools.sandbox.state,
    upstream,
    async close() {
      await tracing.flush()
      await Promise.all([tools.close(), upstream.close()])
      stopRetention()
      rules.close()
      audit.flush()
      store.close()
    },
  }
  return runtime
}
