/** Settings that enable and disable servers of `.mcp.json` by name. */

import { isJsonObject, isTexts } from '@contextd/shared/json/value'
import { nearestAmong } from '@contextd/shared/text/nearest'
import type { JsonRepair, LintRule } from '../../../findings/finding.ts'
import { oncePer } from '@contextd/shared/once'
import { rewrittenName } from '../../rules/tool-names.ts'
import type { ClaudeSetup, McpServer, SettingsFile } from '../../setup/setup.ts'
import { findingIn, type FindingText } from '../places/finding-at.ts'

const unknownName: LintRule<ClaudeSetup> = {
  id: 'mcpjson-server-unknown',
  severity: 'error',
  title: 'A server is enabled or disabled under a name that is not in `.mcp.json`',
  why: `\`disabledMcpjsonServers\` and \`enabledMcpjsonServers\` apply only to servers of \`.mcp.json\`, by their exact, case-sensitive name in that file. Any other name silently has no effect: a server that should be disabled is started. To deny a server that is configured elsewhere, use \`"deniedMcpServers": [{ "serverName": "<name>" }]\`.

User and managed settings are shared by all projects, so their names are reported only if a server here has a similar name. \`--fix\` corrects a name in \`disabledMcpjsonServers\` of the project.`,
  *check(setup) {
    for (const file of setup.settings) {
      for (const key of ['disabledMcpjsonServers', 'enabledMcpjsonServers'] as const) {
        const names = file.value[key]
        if (names === undefined || !isTexts(names)) continue
        for (const [index, name] of names.entries()) {
          const text = unknown(setup, file, key, name)
          if (text !== undefined) yield findingIn(file, [key, index], 'value', text)
        }
      }
    }
  },
}

type Key = 'disabledMcpjsonServers' | 'enabledMcpjsonServers'

/** Built once, as both lists may be long. */
const indexOf = oncePer(({ servers }: ClaudeSetup) => {
  const ofProject = servers.filter(({ source }) => source === 'project')
  const shared = servers.filter(({ source }) => source !== 'agent').toReversed()
  const namesOf = (some: readonly McpServer[]): string[] => some.map(({ name }) => name)
  return {
    ofProject: new Set(namesOf(ofProject).map(rewrittenName)),
    byFullName: new Map(shared.map((server) => [server.fullName, server])),
    nearest: {
      enabledMcpjsonServers: nearestAmong(namesOf(ofProject)),
      disabledMcpjsonServers: nearestAmong(namesOf(ofProject.filter(({ off }) => off === undefined))),
    },
  }
})

function unknown(setup: ClaudeSetup, file: SettingsFile, key: Key, name: string): FindingText | undefined {
  const index = indexOf(setup)
  if (index.ofProject.has(rewrittenName(name))) return undefined
  const isDisabling = key === 'disabledMcpjsonServers'
  const elsewhere = index.byFullName.get(name)
  if (elsewhere !== undefined) return fromElsewhere(elsewhere, key)
  const meant = index.nearest[key](name.trim().replace(/^mcp__/, ''))
  const isForAllProjects = file.level === 'user' || file.level === 'managed'
  const message = `No server of \`.mcp.json\` is named \`${name}\``
  if (meant === undefined) {
    if (isForAllProjects) return undefined
    return {
      message: `${message}, so this entry of \`${key}\` has no effect.`,
      fix: 'Correct or remove the name.',
      severity: 'note',
    }
  }
  return {
    message: isDisabling
      ? `${message}, so \`${meant}\` is not disabled.`
      : `${message}, so this does not enable \`${meant}\`.`,
    fix: `Write \`${meant}\` if that is meant, or remove the name.`,
    ...(isDisabling
      ? !isForAllProjects && { repairs: [rename(file, name, meant)] }
      : { severity: 'warning' }),
  }
}

function fromElsewhere(server: McpServer, key: Key): FindingText | undefined {
  if (server.off !== undefined || key === 'enabledMcpjsonServers') return undefined
  return {
    message: `The server \`${server.fullName}\` does not come from \`.mcp.json\`, so \`${key}\` does not disable it.`,
    fix: `Write \`"deniedMcpServers": [{ "serverName": "${server.fullName}" }]\`.`,
  }
}

function rename({ file }: SettingsFile, name: string, meant: string): JsonRepair {
  return {
    kind: 'json',
    file,
    change(document) {
      const names = isJsonObject(document) ? document.disabledMcpjsonServers : undefined
      if (!isJsonObject(document) || names === undefined || !isTexts(names))
        throw new Error('the list no longer exists')
      return { ...document, disabledMcpjsonServers: names.map((one) => (one === name ? meant : one)) }
    },
  }
}

export const mcpjsonSwitchRules: readonly LintRule<ClaudeSetup>[] = [unknownName]
