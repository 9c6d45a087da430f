/** Batches writes: texts added in the same tick are written together. */
export interface JoinedWrites {
  add(text: string): void
  /** Writes pending text immediately instead of at the end of the tick. */
  flush(): void
  /** Pending characters. */
  pending(): number
}

export function joinWrites(write: (text: string) => void): JoinedWrites {
  let pending = ''
  const flush = (): void => {
    const text = pending
    pending = ''
    if (text !== '') write(text)
  }
  return {
    add(text) {
      if (pending === '') process.nextTick(flush)
      pending += text
    },
    flush,
    pending: () => pending.length,
  }
}
