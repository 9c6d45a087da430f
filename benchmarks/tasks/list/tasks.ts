import type { Task } from '../task.ts'
import { codeTasks } from './code.ts'
import { historyTasks } from './history.ts'
import { otherTasks } from './other.ts'
import { readingTasks } from './reading.ts'
import { serviceTasks } from './services.ts'

export const tasks: readonly Task[] = [
  ...codeTasks,
  ...readingTasks,
  ...historyTasks,
  ...serviceTasks,
  ...otherTasks,
]
