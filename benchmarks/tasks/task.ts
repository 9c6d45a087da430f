/** A task of ordinary development: the project it starts from, what a model does, and what must be on disk then. */

import type { Project } from './project.ts'

/** What a model does next. Each set of tools has its own calls for it: see tool-sets.ts. */
export type Step =
  | { readonly do: 'read'; readonly path: string; readonly offset?: number; readonly limit?: number }
  | { readonly do: 'edit'; readonly path: string; readonly edits: readonly Edit[] }
  | { readonly do: 'write'; readonly path: string; readonly content: string }
  | { readonly do: 'find'; readonly glob: string }
  | { readonly do: 'grep'; readonly pattern: string; readonly path: string; readonly glob?: string }
  /** `fails`: it ends with another status than 0, and the model is to see that. */
  | { readonly do: 'run'; readonly command: string; readonly fails?: boolean }
  /** A command that keeps running; `output` and `stop` mean the last one. */
  | { readonly do: 'start'; readonly command: string }
  | { readonly do: 'output' }
  | { readonly do: 'stop' }

export interface Edit {
  readonly old: string
  readonly new: string
  readonly all?: boolean
}

/** One answer of the model: steps that need nothing of each other are taken at once. */
export type Turn = Step | readonly Step[]

export interface Task {
  readonly name: string
  /** A shell command that succeeds where the programs of the task are installed. */
  readonly needs?: string
  /** A service of the user's machine, such as a registry; our agent is granted its port. */
  readonly service?: () => Promise<Service>
  create(project: Project, port: number): void
  turns(project: Project, port: number): readonly Turn[]
  /** Throws if the work is not done: also for the project as it was created. */
  check(project: Project, port: number): void
  /** What the model must not be sent when it works with our tools, and cannot avoid with its own. */
  readonly secrets?: readonly string[]
}

export interface Service {
  readonly port: number
  close(): Promise<void>
}

export const read = (path: string, offset?: number, limit?: number): Step => ({
  do: 'read',
  path,
  ...(offset !== undefined && { offset }),
  ...(limit !== undefined && { limit }),
})
export const edit = (path: string, ...edits: Edit[]): Step => ({ do: 'edit', path, edits })
export const write = (path: string, content: string): Step => ({ do: 'write', path, content })
export const find = (glob: string): Step => ({ do: 'find', glob })
export const grep = (pattern: string, path: string, glob?: string): Step => ({
  do: 'grep',
  pattern,
  path,
  ...(glob !== undefined && { glob }),
})
export const run = (command: string): Step => ({ do: 'run', command })
export const runFailing = (command: string): Step => ({ do: 'run', command, fails: true })
export const start = (command: string): Step => ({ do: 'start', command })
export const output: Step = { do: 'output' }
export const stop: Step = { do: 'stop' }
