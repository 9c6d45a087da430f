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
      let called = false
      return stage(call, (changed) => {
        if (called) return Promise.reject(new Error('a stage called next twice'))
        called = true
        return rest(changed)
      })
    }
  }
  return from(0)
}
