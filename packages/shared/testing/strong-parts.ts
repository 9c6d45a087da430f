/** Tarjan's strongly connected components, without recursion, in reverse topological order. */
export function strongParts(graph: readonly (readonly number[])[]): number[][] {
  const order = new Map<number, number>()
  const low: number[] = []
  const stack: number[] = []
  const onStack = new Set<number>()
  const parts: number[][] = []
  for (const root of graph.keys()) {
    if (order.has(root)) continue
    const work: { readonly state: number; edge: number }[] = [{ state: root, edge: 0 }]
    while (work.length > 0) {
      const step = work.at(-1)!
      const { state } = step
      if (step.edge === 0 && !order.has(state)) {
        low[state] = order.size
        order.set(state, order.size)
        stack.push(state)
        onStack.add(state)
      }
      const to = graph[state]![step.edge++]
      if (to !== undefined) {
        if (!order.has(to)) work.push({ state: to, edge: 0 })
        else if (onStack.has(to)) low[state] = Math.min(low[state]!, order.get(to)!)
        continue
      }
      work.pop()
      const parent = work.at(-1)?.state
      if (parent !== undefined) low[parent] = Math.min(low[parent]!, low[state]!)
      if (low[state] !== order.get(state)) continue
      const part: number[] = []
      for (let other = stack.pop()!; ; other = stack.pop()!) {
        onStack.delete(other)
        part.push(other)
        if (other === state) break
      }
      parts.push(part)
    }
  }
  return parts
}
