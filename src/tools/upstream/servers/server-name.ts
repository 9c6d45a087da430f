/** What a server may be called. Its name stands in rules, in commands and in the names of its tools. */

import { CONTROL_SERVER, OWN_SERVER } from '../../../core/call.ts'

/** The name as it stands in listed tool names, which clients allow fewer characters in. */
export function listedServerName(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]/g, '_')
}

export const serverNamePattern = /^[A-Za-z0-9_.-]{1,40}$/

/** What is wrong with a name; undefined where nothing is. */
export function serverNameProblem(name: string): string | undefined {
  if (!serverNamePattern.test(name)) {
    return 'a server name has 1 to 40 letters, digits, "_", "." or "-"'
  }
  // Behind the name follows `__` and the tool: where one ends and the other begins must be plain.
  if (/__|_$/.test(listedServerName(name))) {
    return 'a server name has no two of "_" and "." side by side and does not end with one'
  }
  const isTaken = name === OWN_SERVER || name === CONTROL_SERVER
  return isTaken ? `the name ${name} is taken by contextd itself` : undefined
}
