import type { Json } from '@contextd/shared/json/value'

/** Whether an address could have been made from a template: what stands in braces may be anything. */
export function matchesTemplate(template: Json | undefined, uri: string): boolean {
  if (typeof template !== 'string') return false
  const [first = '', ...others] = template.split(/\{[^{}]*\}/)
  const last = others.pop()
  if (last === undefined) return uri === first
  if (!uri.startsWith(first) || uri.length < first.length + last.length || !uri.endsWith(last)) return false
  let at = first.length
  for (const part of others) {
    const found = uri.indexOf(part, at)
    if (found < 0 || found + part.length > uri.length - last.length) return false
    at = found + part.length
  }
  return true
}
