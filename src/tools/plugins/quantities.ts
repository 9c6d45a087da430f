/** Parses and formats the times and sizes in `capabilities.toml`. */

const timeUnits: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000 }
const sizeUnits: Readonly<Record<string, number>> = { B: 1, KB: 1024, MB: 1024 ** 2, GB: 1024 ** 3 }

/** A plain number is in the base unit: seconds, or bytes. */
export const timePattern = /^(?=.*[1-9])\d{1,9}(?:\.\d{1,3})? ?(?:ms|s|m)$/
export const sizePattern = /^(?=.*[1-9])\d{1,12}(?:\.\d{1,3})? ?(?:B|KB|MB|GB)$/

/** `"10s"`, `"500ms"`, or a number of seconds. Text must match the pattern. */
export function millisecondsOf(value: string | number): number {
  return typeof value === 'number' ? Math.round(value * 1000) : scaled(value, timeUnits)
}

/** `"64MB"`, or a number of bytes. */
export function parseBytes(value: string | number): number {
  return typeof value === 'number' ? Math.round(value) : scaled(value, sizeUnits)
}

function scaled(text: string, units: Readonly<Record<string, number>>): number {
  const [, amount = '', unit = ''] = /^([\d.]+) ?([A-Za-z]+)$/.exec(text) ?? []
  return Math.round(Number(amount) * (units[unit] ?? Number.NaN))
}

/** `10 s`, `1.5 s`, `250 ms`. */
export function formatTime(ms: number): string {
  return ms < 1000 ? `${ms} ms` : `${rounded(ms / 1000)} s`
}

/** `64 MB`, `1.5 GB`. */
export function formatSize(bytes: number): string {
  const unit = (['GB', 'MB', 'KB'] as const).find((name) => bytes >= sizeUnits[name]!) ?? 'B'
  return `${rounded(bytes / sizeUnits[unit]!)} ${unit}`
}

function rounded(amount: number): string {
  return String(Math.round(amount * 10) / 10)
}
