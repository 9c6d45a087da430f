/**
 * The settings schema of Claude Code, observed in version 2.1.325. A single value of a wrong type, or a guard hook that
 * cannot be loaded, makes it silently ignore the whole file, including its deny rules.
 */

import { isJsonObject, isTexts, type Json, type JsonObject } from '@contextd/shared/json/value'
import type { JsonPath } from '@contextd/shared/json/json-source'
import { hookFaults } from './hook-shape.ts'

export interface SettingsFault {
  readonly path: JsonPath
  /** The expected value: `true or false`. */
  readonly expected: string
}

/** The faults that make the client ignore a whole settings file. */
export function droppingFaults(settings: JsonObject): SettingsFault[] {
  return [
    ...Object.entries(settings).flatMap(([key, value]) => kindFaults(knownSettings.get(key), value, [key])),
    ...permissionFaults(settings.permissions),
    ...sandboxFaults(settings.sandbox),
    ...hookFaults(settings).filter(({ drops }) => drops === 'file'),
  ]
}

function permissionFaults(permissions: Json | undefined): SettingsFault[] {
  if (!isJsonObject(permissions)) return []
  return Object.entries(permissions).flatMap(([key, value]): SettingsFault[] => {
    const path = ['permissions', key]
    const choices = permissionChoices.get(key)
    if (choices === undefined) return kindFaults(permissionKeys.get(key), value, path)
    const isKnown = typeof value === 'string' && choices.includes(value)
    return isKnown ? [] : [{ path, expected: listed(choices) }]
  })
}

function sandboxFaults(sandbox: Json | undefined): SettingsFault[] {
  if (!isJsonObject(sandbox)) return []
  const { filesystem, network } = sandbox
  const parts = [
    { path: ['sandbox'], value: sandbox, keys: sandboxKeys },
    { path: ['sandbox', 'filesystem'], value: filesystem, keys: sandboxFileKeys },
    { path: ['sandbox', 'network'], value: network, keys: sandboxNetworkKeys },
  ]
  return parts.flatMap(({ path, value, keys }) =>
    Object.entries(isJsonObject(value) ? value : {}).flatMap(([key, one]) =>
      kindFaults(keys.get(key), one, [...path, key]),
    ),
  )
}

function listed(choices: readonly string[]): string {
  const quoted = choices.map((choice) => JSON.stringify(choice))
  return quoted.length === 1 ? String(quoted[0]) : `one of ${quoted.join(', ')}`
}

const overrides = ['on', 'name-only', 'user-invocable-only', 'off']

function isOverrides(value: Json): boolean {
  return isJsonObject(value) && Object.values(value).every((one) => overrides.includes(one as string))
}

/** `any`: the client accepts every value, or not all accepted types are known. */
type Kind = keyof typeof kinds | 'any'

const kinds = {
  boolean: { expected: 'true or false', is: (value: Json) => typeof value === 'boolean' },
  number: { expected: 'a number', is: (value: Json) => typeof value === 'number' },
  text: { expected: 'a string', is: (value: Json) => typeof value === 'string' },
  list: { expected: 'a list', is: (value: Json) => Array.isArray(value) },
  texts: { expected: 'a list of strings', is: isTexts },
  object: { expected: 'an object', is: isJsonObject },
  switches: { expected: 'an object with true or false for each name', is: isSwitches },
  overrides: { expected: `an object with ${listed(overrides)} for each name`, is: isOverrides },
} as const

function kindFaults(kind: Kind | undefined, value: Json, path: JsonPath): SettingsFault[] {
  if (kind === undefined || kind === 'any') return []
  const { expected, is } = kinds[kind]
  return is(value) ? [] : [{ path, expected }]
}

/** Besides true and false, the client accepts lists of versions. */
function isSwitches(value: Json): boolean {
  const isLoose = (item: Json): boolean => typeof item === 'string' || typeof item === 'number'
  return isJsonObject(value) && !Object.values(value).some(isLoose)
}

function keysByKind(names: Readonly<Partial<Record<Kind, string>>>): ReadonlyMap<string, Kind> {
  return new Map(
    Object.entries(names).flatMap(([kind, words]) =>
      words
        .trim()
        .split(/\s+/)
        .map((word): [string, Kind] => [word, kind as Kind]),
    ),
  )
}

/** A rule that is not a string is dropped by itself, so lists are not checked further. */
export const permissionKeys = keysByKind({
  list: 'allow ask deny',
  texts: 'additionalDirectories',
  boolean: `blockFileToolReadsOutsideWorkingDirectories blockReadsOutsideWorkingDirectories
    blockWritesOutsideWorkingDirectories`,
  text: 'defaultMode disableAutoMode disableBypassPermissionsMode',
  any: 'blockReadsExemptPaths denyInsteadOfPrompting workingDirectoriesAsGiven',
})

const permissionChoices: ReadonlyMap<string, readonly string[]> = new Map([
  ['defaultMode', ['default', 'manual', 'acceptEdits', 'plan', 'auto', 'dontAsk', 'bypassPermissions']],
  ['disableBypassPermissionsMode', ['disable']],
  ['disableAutoMode', ['disable']],
])

const sandboxKeys = keysByKind({
  boolean: `allowAppleEvents allowNestedUserNamespaces allowUnsandboxedCommands autoAllowBashIfSandboxed enabled
    enableWeakerNestedSandbox enableWeakerNetworkIsolation failIfUnavailable`,
  texts: 'excludedCommands',
  object: 'credentials filesystem ignoreViolations network ripgrep',
})
const sandboxFileKeys = keysByKind({
  boolean: 'allowManagedReadPathsOnly',
  texts: 'allowRead allowWrite denyRead denyWrite',
})
const sandboxNetworkKeys = keysByKind({
  boolean: 'allowAllUnixSockets allowLocalBinding allowManagedDomainsOnly',
  number: 'httpProxyPort socksProxyPort',
  list: 'allowUnixSockets',
  texts: 'allowedDomains deniedDomains',
})

export const knownSettings = keysByKind({
  boolean: `agentPushNotifEnabled allowAllClaudeAiMcps allowClaudeInChromeWithManagedMcp allowManagedHooksOnly
    allowManagedMcpServersOnly allowManagedPermissionRulesOnly alwaysThinkingEnabled autoCompactEnabled
    autoContinueAtUsageLimit autoDreamEnabled autoMemoryEnabled autoScrollEnabled autoUploadSessions awaySummaryEnabled
    axScreenReader bashEditDiffEnabled channelsEnabled clawdFileProgressEnabled disableAgentView disableAllHooks
    disableArtifact disableBundledSkills disableClaudeAiConnectors disableCommandPluginSources disableRemoteControl
    disableReplyCheck disableSideloadFlags disableSkillShellExecution disableWindowsBashCommandSplit disableWorkflows
    doneMeansMerged emojiCompletionEnabled enableAllProjectMcpServers enableArtifact enableWorkflows
    enforceAvailableModels fastMode fastModePerSessionOptIn fileCheckpointingEnabled forceRemoteSettingsRefresh
    idleCompaction includeCoAuthoredBy includeGitInstructions inputNeededNotifEnabled isolatePeerMachines
    precomputeCompactionEnabled prefersReducedMotion promptSuggestionEnabled remoteControlAtStartup respectGitignore
    respondToBashCommands responseComparisonEnabled showClearContextOnPlanAccept showMessageTimestamps
    showThinkingSummaries showTurnDuration skipAutoPermissionPrompt skipDangerousModePermissionPrompt
    skipWebFetchPreflight skipWorkflowUsageWarning spinnerTipsEnabled switchModelsOnFlag syncClaudeAiPlugins
    syncClaudeAiSkills syntaxHighlightingDisabled terminalProgressBarEnabled terminalTitleFromRename todoFeatureEnabled
    totalTokensReminderAfterUserTurn useAutoModeDuringPlan verbose voiceEnabled wheelScrollAccelerationEnabled
    workflowKeywordTriggerEnabled wslInheritsWindowsSettings`,
  number: `cleanupPeriodDays desktopSessionCleanupPeriodDays feedbackSurveyRate skillListingBudgetFraction
    skillListingMaxDescChars totalTokensReminderBudget`,
  text: `$schema advisorModel agent apiKeyHelper attributionProject autoMemoryDirectory autoUpdatesChannel
    availableModelsMatch awsAuthRefresh awsCredentialExport claudeMd daemonColdStart defaultShell defaultView
    disableAutoMode disableDeepLinkRegistration feedbackDrafts gcpAuthRefresh language managedSourcesBehavior
    minimumVersion model otelHeadersHelper outputStyle parentSettingsBehavior plansDirectory pluginTrustMessage
    processWrapper proxyAuthHelper prUrlTemplate requiredMaximumVersion requiredMinimumVersion timeZone
    totalTokensReminder tui workflowSizeGuideline`,
  list: 'allowedChannelPlugins sshConfigs',
  texts: `allowedHttpHookUrls availableModels claudeMdExcludes companyAnnouncements deniedModels disabledMcpjsonServers
    fallbackModel httpHookAllowedEnvVars pluginSuggestionMarketplaces`,
  switches: 'enabledPlugins',
  overrides: 'skillOverrides',
  object: `attributionProjectPolicy autoMode breakReminder env fileSuggestion modelOverrides modelPicker
    modelPricing permissions pluginConfigs quietHours remote remoteTools sandbox spinnerVerbs statusLine
    voice worktree`,
  any: `additionalMarketplaces allowedMarketplaces allowedMcpServers allowedProviders appendPlugins
    askUserQuestionTimeout attribution autoCompactWindow bashOutputMaxChars blockedMarketplaces crossSessionInbound
    deniedMcpServers dialogExpiry editorMode effortLevel enabledMcpjsonServers
    extraKnownMarketplaces footerLinksRegexes forceLoginGatewayUrl forceLoginMethod forceLoginOrgUUID
    gatewayInternalNetworks hooks keybindingFlavor managedMcpServers maxEffortLevel maxProseWidth modelProposedGoals
    modelSettings policyHelper policyHelpers precomputeArmTokens preferredNotifChannel prependPlugins promptCacheTtl
    remoteControl spellcheck spinnerTipsOverride sshHostCommands strictKnownMarketplaces strictPluginOnlyCustomization
    subagentPromptCacheTtl subagentStatusLine taskOutputMaxChars teammateMode theme timeFormat ultracode viewMode
    vimInsertModeRemaps xaaIdp`,
})

/** Settings that the client reads from managed settings only. */
export const managedOnlySettings: ReadonlySet<string> = new Set([
  'allowAllClaudeAiMcps',
  'allowManagedHooksOnly',
  'allowManagedMcpServersOnly',
  'allowManagedPermissionRulesOnly',
  'allowedMarketplaces',
  'blockedMarketplaces',
  'deniedModels',
  'disableCommandPluginSources',
  'disableSideloadFlags',
  'managedMcpServers',
  'policyHelper',
  'policyHelpers',
  'strictKnownMarketplaces',
  'strictPluginOnlyCustomization',
])
