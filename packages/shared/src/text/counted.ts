/** `1 record`, `2 records`; with an irregular plural `1 memory`, `2 memories`. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`
}
