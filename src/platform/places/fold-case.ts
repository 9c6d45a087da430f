/**
 * As file systems compare names that take no notice of case: `.GIT`, `.ſsh` and `.g\u200cit` are names of what is
 * protected, too.
 */
export function foldCase(text: string): string {
  if (/^[ -~]*$/.test(text)) return text.toLowerCase()
  const plain = text.normalize('NFKD').replace(/\p{Default_Ignorable_Code_Point}/gu, '')
  return plain.toUpperCase().toLowerCase()
}
