/**
 * Copies a substring. V8 substrings keep the whole parent string in memory, and every access is resolved through the
 * parent.
 */
export function ownString(part: string): string {
  const copy = Buffer.from(part, 'latin1').toString('latin1')
  return copy === part ? copy : Buffer.from(part, 'utf16le').toString('utf16le')
}
