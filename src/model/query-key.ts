/** The query without the credential that Gemini's clients put there: it passes as it is, and nothing else looks at it. */
export function withoutKey(path: string): string {
  return path.replace(/(?<=[?&]key=)[^&]*/g, '')
}
