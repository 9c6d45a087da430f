/** JSON as editors allow it, with comments and trailing commas, to plain JSON. Linear in the text, whatever it holds. */

const text = String.raw`"(?:[^"\\]|\\[^])*(?:"|\\?$)`
const textOrComment = new RegExp(String.raw`${text}|//[^\n]*|/\*[^]*?(?:\*/|$)`, 'g')
const textOrLastComma = new RegExp(String.raw`${text}|,(?=\s*[}\]])`, 'g')

export function plainJson(source: string): string {
  const blank = (part: string): string => (part.startsWith('"') ? part : ' ')
  return source
    .replace(/^\uFEFF/, '')
    .replace(textOrComment, blank)
    .replace(textOrLastComma, blank)
}
