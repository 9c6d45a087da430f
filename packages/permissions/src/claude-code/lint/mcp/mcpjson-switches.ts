/** Lists of settings that switch servers of `.mcp.json` on and off by name. */

import { isJsonObject, isTexts } from '@contextd/shared/json/value'
import { nearestAmong } from '@contextd/shared/text/nearest'
import type { JsonRepair, LintRule } from '../../../findings/finding.ts'
import { oncePer } from '@contextd/shared/once'
import { rewrittenName } from '../../rules/tool-names.ts'
import type { ClaudeSetup, McpServer, SettingsFile } from '../../setup/setup.ts'
import { foundIn, type Told } from '../places/found-in.ts'

const unknownName: LintRule<ClaudeSetup> = {
  id: 'mcpjson-server-unknown',
  severity: 'error',
  title: 'A server is enabled or disabled under a name that is not in `.mcp.json`',
  why: `\`disabledMcpjsonServers\` and \`enabledMcpjsonServers\` are about the servers of \`.mcp.json\` and no others, by the name they have there, case-sensitively. With any other name they do nothing, silently: what should be off is started. A server that comes from elsewhere is refused with \`"deniedMcpServers": [{ "serverName": "<name>" }]\`.

Settings of the user and of the administrator are for all projects, so their names are mentioned only where a server here is nearly called that. \`--fix\` corrects a name in \`disabledMcpjsonServers\` of the project.`,
  *check(setup) {
    for (const file of setup.settings) {
      for (const key of ['disabledMcpjsonServers', 'enabledMcpjsonServers'] as const) {
        const names = file.value[key]
        if (names === undefined || !isTexts(names)) continue
        for (const [index, name] of names.entries()) {
          const told = unknown(setup, file, key, name)
          if (told !== undefined) yield foundIn(file, [key, index], 'value', told)
        }
      }
    }
  },
}

type Key = 'disabledMcpjsonServers' | 'enabledMcpjsonServers'

/** Both lists may be long. */
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

function unknown(setup: ClaudeSetup, file: SettingsFile, key: Key, name: string): Told | undefined {
  const index = indexOf(setup)
  if (index.ofProject.has(rewrittenName(name))) return undefined
  const isOff = key === 'disabledMcpjsonServers'
  const elsewhere = index.byFullName.get(name)
  if (elsewhere !== undefined) return fromElsewhere(elsewhere, key)
  const meant = index.nearest[key](name.trim().replace(/^mcp__/, ''))
  const isForAllProjects = file.level === 'user' || file.level === 'managed'
  const message = `No server of \`.mcp.json\` is called \`${name}\``
  if (meant === undefined) {
    if (isForAllProjects) return undefined
    return {
      message: `${message}, so \`${key}\` does nothing with it.`,
      fix: 'Correct or remove the name.',
      severity: 'note',
    }
  }
  return {
    message: isOff
      ? `${message}, and \`${meant}\` is not switched off.`
      : `${message}, and \`${meant}\` is not switched on by it.`,
    fix: `Write \`${meant}\` if that is meant, or remove the name.`,
    ...(isOff ? !isForAllProjects && { repairs: [rename(file, name, meant)] } : { severity: 'warning' }),
  }
}

function fromElsewhere(server: McpServer, key: Key): Told | undefined {
  if (server.off !== undefined || key === 'enabledMcpjsonServers') return undefined
  return {
    message: `The server \`${server.fullName}\` does not come from \`.mcp.json\`, and \`${key}\` does not switch it off.`,
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
        throw new Error('the list is gone')
      return { ...document, disabledMcpjsonServers: names.map((one) => (one === name ? meant : one)) }
    },
  }
}

export const mcpjsonSwitchRules: readonly LintRule<ClaudeSetup>[] = [unknownName]
