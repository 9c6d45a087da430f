import { runTask, type Attempt, type ClientName } from './run-task.ts'
import type { Task } from './task.ts'

export type { ClientName }

/** A task, done with our tools and with the client's own. */
export interface Comparison {
  readonly name: string
  readonly ours: Attempt
  readonly own: Attempt
  /** What is on disk in one but not in the other, line by line. */
  readonly differences: readonly string[]
}

/** Throws if a secret reaches the model with our tools, or does not with its own: then the task proves nothing. */
export async function compareTask(task: Task, client: ClientName, isOursFirst: boolean): Promise<Comparison> {
  const service = await task.service?.()
  try {
    const first = await runTask(task, client, isOursFirst ? 'ours' : 'own', service)
    const second = await runTask(task, client, isOursFirst ? 'own' : 'ours', service)
    const [ours, own] = isOursFirst ? [first, second] : [second, first]
    for (const secret of task.secrets ?? []) {
      if (ours.told.includes(secret)) throw new Error('with our tools the model was sent a secret')
      if (!own.told.includes(secret)) throw new Error('with its own tools the model was sent no secret')
    }
    return { name: task.name, ours, own, differences: differences(ours.result, own.result) }
  } finally {
    await service?.close()
  }
}

function differences(ours: readonly string[], own: readonly string[]): string[] {
  return [
    ...ours.filter((line) => !own.includes(line)).map((line) => `ours: ${line}`),
    ...own.filter((line) => !ours.includes(line)).map((line) => `own: ${line}`),
  ]
}
