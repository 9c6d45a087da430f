/** Parts of secrets in a part of a text, which no rule matches there. */

/** Scrubbed together with a part, before and after it: longer than any key. */
export const surroundingBytes = 16_384

/** Shorter parts of a secret are useless. */
const minPartLength = 8

/** Replaces lines that are masked with their surroundings, but not alone: they are parts of a longer secret. */
export async function withoutSecretParts(
  part: string,
  around: string,
  scrub: (text: string) => Promise<string>,
): Promise<string> {
  const kept = new Set((await scrub(around)).split('\n'))
  const isPart = async (line: string): Promise<boolean> =>
    line.length > minPartLength && !kept.has(line) && (await scrub(line)) === line
  const shown: string[] = []
  for (const line of part.split('\n')) shown.push((await isPart(line)) ? '[part of a secret]' : line)
  return shown.join('\n')
}
