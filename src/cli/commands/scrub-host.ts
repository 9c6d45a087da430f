import type { ScrubHost } from '@contextd/scrub/internal/scrub-host'

/** contextd as the program of a command of @contextd/scrub: with the user's rules and trusted projects. */
export function scrubHost(program: string): ScrubHost {
  return {
    program,
    openScrubber: async (options) =>
      (await import('../../stages/scrub/open-scrubber.ts')).openScrubber(options),
  }
}
