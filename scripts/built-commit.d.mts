export function stateOfSources(folder?: string): string
