import type { CreateRewriter, ModelReport } from '../../src/core/model.ts'

export interface Rewritten {
  /** The data that the client received after each chunk, and at the end. */
  readonly received: readonly string[]
  readonly bytes: Buffer
  readonly report: ModelReport
}

/** A provider's response in chunks, as a client receives it. */
export async function rewritten(
  create: CreateRewriter,
  contentType: string,
  chunks: readonly Buffer[],
  status = 200,
): Promise<Rewritten> {
  const rewriter = create({ status, contentType })
  const received: Buffer[] = []
  for (const chunk of chunks) received.push(await rewriter.write(chunk))
  received.push(await rewriter.end())
  return {
    received: received.map(String),
    bytes: Buffer.concat(received),
    report: rewriter.report(),
  }
}
