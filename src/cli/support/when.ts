/** Times and ages in options such as `--since`. */

import { InvalidArgumentError } from 'commander'

const units: Record<string, number> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** ISO 8601. */
export function when(text: string): string {
  const [, amount, unit = ''] = /^(\d+)([smhd])$/.exec(text) ?? []
  const time = amount === undefined ? Date.parse(text) : Date.now() - Number(amount) * (units[unit] ?? 0)
  if (Number.isNaN(time))
    throw new InvalidArgumentError('It must be a time such as 2026-11-15T10:00:00Z, or 90s, 15m, 24h, 7d.')
  return new Date(time).toISOString()
}
