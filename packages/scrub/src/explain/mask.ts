/**
 * Masks the middle of a secret: enough is left to recognise it, not enough to use it.
 *
 * @example
 * import { maskSecret } from '@contextd/scrub/explain'
 *
 * console.log(maskSecret('correct horse battery staple'))
 * // → corr…le
 */
export function maskSecret(secret: string): string {
  const characters = Array.from(secret.replace(/\s+/g, ' '))
  if (characters.length < 12) return `${characters[0] ?? ''}…`
  return `${characters.slice(0, 4).join('')}…${characters.slice(-2).join('')}`
}
