import { createContext, Script, type Context } from 'node:vm'

/** A call from a script can be ended by the engine from outside, wherever it stands, also inside a pattern. */
const script = new Script('work()')
let context: Context | undefined

/** Runs what a stranger can make endless, such as a pattern of theirs. Undefined where it took too long. */
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
