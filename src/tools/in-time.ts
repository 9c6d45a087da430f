import { createContext, Script, type Context } from 'node:vm'

/** The engine can interrupt a script at any point, even inside a pattern. */
const script = new Script('work()')
let context: Context | undefined

/** Runs code whose running time is controlled by others, such as their patterns. Undefined on timeout. */
export function inTime<T>(work: () => T, patienceMs: number): T | undefined {
  try {
    context ??= createContext({})
    context.work = work
    return script.runInContext(context, { timeout: patienceMs }) as T
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return undefined
    throw error
  }
}
