/** A secret as a person may see it: enough to tell which one it is, not enough to use it. */
export function maskSecret(secret: string): string {
  const characters = Array.from(secret.replace(/\s+/g, ' '))
  if (characters.length < 12) return `${characters[0] ?? ''}…`
  return `${characters.slice(0, 4).join('')}…${characters.slice(-2).join('')}`
}
