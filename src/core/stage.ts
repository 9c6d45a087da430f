import type { Call } from './call.ts'
import type { Result } from './result.ts'

export type Next = (call: Call) => Promise<Result>

/** One layer of the onion: it sees the call on the way in and the result on the way out. */
export type Stage = (call: Call, next: Next) => Promise<Result>

/** Composes the stages into one function, the first outermost. Each may call `next` at most once. */
export function runStages(stages: readonly Stage[]): Next {
  const from = (index: number): Next => {
    const stage = stages[index]
    if (stage === undefined) return () => Promise.reject(new Error('the last stage must answer the call'))
    const rest = from(index + 1)
    return (call) => {
      let gone = false
      return stage(call, (passed) => {
        if (gone) return Promise.reject(new Error('a stage went on twice'))
        gone = true
        return rest(passed)
      })
    }
  }
  return from(0)
}
