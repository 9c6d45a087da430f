/** All configuration of OpenCode that decides what an agent may do, as read from its files. */

import type { JsonObject } from '@contextd/shared/json/value'
import type { JsonPath } from '@contextd/shared/json/json-source'
import type { JsonFile, TextFile, FileProblem } from '../files/client-files.ts'
import type { Severity } from '../findings/finding.ts'
import type { FileSpan } from '../files/frontmatter.ts'
import type { SecretsIn } from '../findings/masked.ts'

export interface OpenCodeSetup {
  readonly project: string
  readonly home: string
  /** Data folders of the client outside the project, which it may access. */
  readonly ownFolders: readonly string[]
  /** Root of the repository that contains the project. */
  readonly repository?: string
  /** In ascending order of precedence: each overrides the ones before. */
  readonly sources: readonly OpenCodeSource[]
  /** Whether there are custom tools or plugins, whose tool names are unknown. */
  readonly hasOwnTools: boolean
  /** Project files that the client does not read because of the environment. */
  readonly skipped: readonly OpenCodeConfig[]
  readonly problems: readonly OpenCodeProblem[]
  /** Whether the path is a folder: the client asks about the folder itself, or about the one that contains the file. */
  readonly isFolder: (path: string) => boolean
  readonly secretsIn: SecretsIn
}

export type OpenCodeSource = OpenCodeConfig | OpenCodeAgent
export type SourceLevel = 'user' | 'project' | 'managed' | 'environment'

export interface OpenCodeConfig extends JsonFile {
  readonly kind: 'config'
  readonly level: SourceLevel
  /** The client does not validate it: it asks for unknown words. */
  readonly isUnchecked?: true
}

/** An agent in a Markdown file. Agents in configurations are under the key `agent`. */
export interface OpenCodeAgent extends TextFile {
  readonly kind: 'agent'
  readonly level: SourceLevel
  readonly name: string
  /** From a folder `mode`: the client skips it if it is invalid. */
  readonly isMode: boolean
  readonly frontmatter: JsonObject
  /** Position of a value or its key in the file. */
  readonly locate: (path: JsonPath, part?: 'value' | 'key') => FileSpan | undefined
  /** Offset of the prompt. */
  readonly body: number
}

export interface OpenCodeProblem extends FileProblem {
  readonly severity: Severity
}

export function configsOf({ sources }: OpenCodeSetup): OpenCodeConfig[] {
  return sources.filter((source) => source.kind === 'config')
}

export function agentsOf({ sources }: OpenCodeSetup): OpenCodeAgent[] {
  return sources.filter((source) => source.kind === 'agent')
}
