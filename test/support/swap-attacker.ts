import { spawn } from 'node:child_process'
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'

export interface SwapAttacker {
  /** The name that alternates between a folder and a link out of the workspace. */
  readonly path: string
  stop(): Promise<void>
}

/** Exits by itself when its parent is gone. */
const swap = `
  my ($name, $link, $aside) = @ARGV;
  my $parent = getppid();
  $| = 1;
  print "swapping\\n";
  for (my $round = 0; $round % 1000 || getppid() == $parent; $round++) {
    rename($name, $aside);
    rename($link, $name);
    rename($name, $link);
    rename($aside, $name);
  }
`

/** Swaps a folder of the workspace with a link to another one, as fast as possible. */
export async function startSwapping(workspace: string, outside: string): Promise<SwapAttacker> {
  const [path, link, aside] = ['d', 'd.link', 'd.aside'].map((name) => join(workspace, name)) as [
    string,
    string,
    string,
  ]
  mkdirSync(path, { recursive: true })
  symlinkSync(outside, link)
  const child = spawn('perl', ['-e', swap, path, link, aside], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject)
    child.stdout.once('data', () => resolve())
  })
  return {
    path,
    async stop() {
      child.kill('SIGKILL')
      await ended
    },
  }
}
