/** What is said in one breath is one write: messages that come about together go on together. */
export interface JoinedWrites {
  add(text: string): void
  /** Writes what is due now instead of at the end of the breath. */
  flush(): void
  /** Characters that are still due. */
  due(): number
}

export function joinWrites(write: (text: string) => void): JoinedWrites {
  let due = ''
  const flush = (): void => {
    const text = due
    due = ''
    if (text !== '') write(text)
  }
  return {
    add(text) {
      if (due === '') process.nextTick(flush)
      due += text
    },
    flush,
    due: () => due.length,
  }
}
