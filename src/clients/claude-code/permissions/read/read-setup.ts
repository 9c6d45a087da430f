/** Reads everything of Claude Code that decides what an agent may do. Nothing is run, and nothing found makes it fail. */

import { statSync } from 'node:fs'
import { resolve } from 'node:path'

import { limitedReader } from '../../../permissions/limited-reader.ts'
import { once } from '../../../permissions/once.ts'
import { readSmallText } from '../../../../platform/small-file.ts'
import type { Trouble } from '../../../permissions/client-files.ts'
import type { Places } from './places.ts'
import { readAgents } from './agents.ts'
import { readDocuments } from './documents.ts'
import { fileNames } from './file-names.ts'
import { readHooks } from './hooks.ts'
import { readPlugins } from './plugins.ts'
import { readServers } from './servers.ts'
import { readSettings } from './settings.ts'
import { readSkills } from './skills.ts'
import { findUnreadFiles } from './unread-files.ts'
import { readWorkspace, realPath } from './workspace.ts'
import type { ClaudeSetup, Standing } from '../setup.ts'

export interface SetupPorts {
  readonly secretsIn: ClaudeSetup['secretsIn']
  /** Plugins the client is started with (`--plugin-dir`). */
  readonly pluginFolders?: readonly string[]
  /** Folders it is given beside the project (`--add-dir`). */
  readonly addedFolders?: readonly string[]
}

export function readSetup(
  given: Places,
  { secretsIn, pluginFolders = [], addedFolders = [] }: SetupPorts,
): ClaudeSetup {
  const [project, home, config] = [given.project, given.home, given.config].map(realPath) as [
    string,
    string,
    string,
  ]
  const places: Places = { ...given, project, home, config }
  const troubles: Trouble[] = []
  const workspace = readWorkspace(places, troubles)
  const settings = readSettings(places, workspace, troubles)
  const brought = { started: pluginFolders.map(realPath), addedFolders }
  const { plugins, missing } = readPlugins(places, workspace, settings, brought, troubles)
  const reading = { troubles, reader: limitedReader((trouble) => troubles.push(trouble)) }
  // Of agents in added folders the client prefers the last, of skills the first.
  const agentFolders = [...workspace.folders, ...addedFolders.toReversed()]
  const agents = readAgents(places, { ...workspace, folders: agentFolders }, plugins, reading)
  const skills = readSkills(places, [...workspace.folders, ...addedFolders], plugins, reading)
  const hooks = readHooks({ settings, plugins, agents, skills }, troubles)
  const servers = readServers({ places, workspace, settings, plugins, agents }, troubles)
  findUnreadFiles(places, workspace, servers, troubles)
  return {
    project,
    home,
    config,
    addedFolders,
    isUsed: workspace.isUsed,
    isTrusted: workspace.isTrusted,
    settings,
    servers,
    plugins,
    missingPlugins: missing,
    agents,
    skills,
    hooks,
    troubles,
    documents: () =>
      readDocuments(project, new Map([...agents, ...skills].map(({ file, text }) => [file, text]))),
    textOf: once((file) => readSmallText(file) ?? ''),
    standingAt: once(standingAt),
    namesOf: fileNames(project, resolve(given.project)),
    secretsIn,
  }
}

function standingAt(path: string): Standing {
  try {
    const stat = statSync(path)
    if (stat.isDirectory()) return 'folder'
    // Windows goes by the name, not by a mode.
    return process.platform === 'win32' || (stat.mode & 0o111) !== 0 ? 'program' : 'plain'
  } catch {
    return 'nothing'
  }
}
