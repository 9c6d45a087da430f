/** The page about a lint rule, as a path in contextd's repository and package. */
export function docsOf(id: string): string {
  return `docs/reference/permissions/${id}.md`
}
