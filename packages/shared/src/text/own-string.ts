/**
 * A string of its own instead of a part of another: a part keeps the whole text in memory, and every look at it has to
 * find out first where in that text it is.
 */
export function ownString(part: string): string {
  const copy = Buffer.from(part, 'latin1').toString('latin1')
  return copy === part ? copy : Buffer.from(part, 'utf16le').toString('utf16le')
}
