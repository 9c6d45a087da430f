/** The query without the API key that Gemini's clients put there: it passes unchanged, and is not checked. */
export function withoutKey(path: string): string {
  return path.replace(/(?<=[?&]key=)[^&]*/g, '')
}
