/** Everything of OpenCode that decides what an agent may do, as it was read. */

import type { JsonObject } from '@contextd/shared/json/value'
import type { JsonPath } from '@contextd/shared/json/json-source'
import type { JsonFile, TextFile, FileProblem } from '../files/client-files.ts'
import type { Severity } from '../findings/finding.ts'
import type { FileSpan } from '../files/frontmatter.ts'
import type { SecretsIn } from '../findings/masked.ts'

export interface OpenCodeSetup {
  readonly project: string
  readonly home: string
  /** What the client keeps outside the project and may touch there. */
  readonly ownFolders: readonly string[]
  /** The top of the repository the project is in. */
  readonly repository?: string
  /** From the weakest to the strongest: the client puts each over what came before. */
  readonly sources: readonly OpenCodeSource[]
  /** Tools of the user's own and of plugins are in nobody's list. */
  readonly hasOwnTools: boolean
  /** Files of the project that the environment keeps the client from reading. */
  readonly skipped: readonly OpenCodeConfig[]
  readonly problems: readonly OpenCodeProblem[]
  /** Where in a text something stands that should be secret. */
  /** Whether there is such a folder now: the client asks about a folder, or about the one that a file is in. */
  readonly isFolder: (path: string) => boolean
  readonly secretsIn: SecretsIn
}

export type OpenCodeSource = OpenCodeConfig | OpenCodeAgent
export type SourceLevel = 'user' | 'project' | 'managed' | 'environment'

export interface OpenCodeConfig extends JsonFile {
  readonly kind: 'config'
  readonly level: SourceLevel
  /** What is in it, the client takes as it is: a word that it does not know makes it ask. */
  readonly isUnchecked?: true
}

/** An agent in a Markdown file. Those in configurations stand under their key `agent`. */
export interface OpenCodeAgent extends TextFile {
  readonly kind: 'agent'
  readonly level: SourceLevel
  readonly name: string
  /** From a folder `mode`: where something is wrong with it, it is left out. */
  readonly isMode: boolean
  readonly frontmatter: JsonObject
  /** Where a value or its key stands in the file. */
  readonly locate: (path: JsonPath, part?: 'value' | 'key') => FileSpan | undefined
  /** Offset at which the prompt begins. */
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
