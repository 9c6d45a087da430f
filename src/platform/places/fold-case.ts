/** Folds names like case-insensitive file systems do: `.GIT`, `.ſsh` and `.g\u200cit` also name protected places. */
export function foldCase(text: string): string {
  if (/^[ -~]*$/.test(text)) return text.toLowerCase()
  const plain = text.normalize('NFKD').replace(/\p{Default_Ignorable_Code_Point}/gu, '')
  return plain.toUpperCase().toLowerCase()
}
