/** Waits up to `ms` for a promise to settle; returns whether it did. */
export async function settledWithin(work: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<boolean>((resolve) => (timer = setTimeout(resolve, ms, false)))
  const settled = work.then(
    () => true,
    () => true,
  )
  try {
    return await Promise.race([settled, tooLate])
  } finally {
    clearTimeout(timer)
  }
}
