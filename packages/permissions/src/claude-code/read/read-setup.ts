/** Reads every Claude Code file that affects permissions. It runs nothing, and no file content makes it throw. */

import { statSync } from 'node:fs'
import { resolve } from 'node:path'

import { limitedReader } from '../../files/limited-reader.ts'
import { once } from '@contextd/shared/once'
import { readSmallText } from '@contextd/shared/files/small-file'
import type { FileProblem } from '../../files/client-files.ts'
import type { ClaudePlaces } from './places.ts'
import { readAgents } from './agents.ts'
import { readDocuments } from './documents.ts'
import { fileNames } from './file-names.ts'
import { readHooks } from './hooks.ts'
import { readPlugins } from './plugins.ts'
import { readServers } from './servers.ts'
import { readSettingsFiles } from './settings.ts'
import { readSkills } from './skills.ts'
import { findUnreadFiles } from './unread-files.ts'
import { readWorkspace, realPathOrSame } from './workspace.ts'
import type { ClaudeSetup, ScriptState } from '../setup/setup.ts'

export interface SetupPorts {
  readonly secretsIn: ClaudeSetup['secretsIn']
  /** Plugin folders passed to the client (`--plugin-dir`). */
  readonly pluginFolders?: readonly string[]
  /** Folders added to the project (`--add-dir`). */
  readonly addedFolders?: readonly string[]
}

export function readSetup(
  given: ClaudePlaces,
  { secretsIn, pluginFolders = [], addedFolders = [] }: SetupPorts,
): ClaudeSetup {
  const [project, home, config] = [given.project, given.home, given.config].map(realPathOrSame) as [
    string,
    string,
    string,
  ]
  const places: ClaudePlaces = { ...given, project, home, config }
  const problems: FileProblem[] = []
  const workspace = readWorkspace(places, problems)
  const settings = readSettingsFiles(places, workspace, problems)
  const flags = { started: pluginFolders.map(realPathOrSame), addedFolders }
  const { plugins, missing } = readPlugins(places, workspace, settings, flags, problems)
  const reading = { problems, reader: limitedReader((problem) => problems.push(problem)) }
  // For agents the last added folder takes precedence, for skills the first.
  const agentFolders = [...workspace.folders, ...addedFolders.toReversed()]
  const agents = readAgents(places, { ...workspace, folders: agentFolders }, plugins, reading)
  const skills = readSkills(places, [...workspace.folders, ...addedFolders], plugins, reading)
  const hooks = readHooks({ settings, plugins, agents, skills }, problems)
  const servers = readServers({ places, workspace, settings, plugins, agents }, problems)
  findUnreadFiles(places, workspace, servers, problems)
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
    problems,
    documents: () =>
      readDocuments(project, new Map([...agents, ...skills].map(({ file, text }) => [file, text]))),
    textOf: once((file) => readSmallText(file) ?? ''),
    scriptStateAt: once(scriptStateAt),
    namesOf: fileNames(project, resolve(given.project)),
    secretsIn,
  }
}

function scriptStateAt(path: string): ScriptState {
  try {
    const stat = statSync(path)
    if (stat.isDirectory()) return 'folder'
    // On Windows, the file name decides whether a file is executable.
    return process.platform === 'win32' || (stat.mode & 0o111) !== 0 ? 'program' : 'plain'
  } catch {
    return 'nothing'
  }
}
