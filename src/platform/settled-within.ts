/** Waits for something to end, well or not, but not for longer than that; answers whether it ended. */
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
