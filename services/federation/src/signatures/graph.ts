/** Asks a thread of its own what a document says as a graph, within bounds of size, number and time. */
import { Worker } from 'node:worker_threads'

export type GraphRefusal = 'too-large' | 'too-busy' | 'too-slow' | 'unknown-context' | 'no-graph'

export type Graph =
  | {
      ok: true
      /** SHA-256 of the canonical N-Quads, hexadecimal. */
      hash: string
      /** The document in our own vocabulary, as JSON; what our words do not cover is not in it. Null when not asked for. */
      compacted: string | null
    }
  | { ok: false; reason: GraphRefusal }

export interface Graphs {
  /** The graph of a document given as JSON text. */
  read(text: string, options?: { compact?: boolean }): Promise<Graph>
  close(): Promise<void>
}

/** A status with everything it may hold takes about ten; nobody signs more than that. */
const LARGEST = 131_072
const MOST_WAITING = 200
const SLOWEST_MS = 5_000
const STARTING_MS = 10_000

type Answer = { id: number; hash?: string; compacted?: string | null; refused?: GraphRefusal }
type Task = { id: number; text: string; wantsCompact: boolean; answer(graph: Graph): void }

const file = new URL(import.meta.url.endsWith('.ts') ? './graph-worker.ts' : './graph-worker.js', import.meta.url)
const folder = new URL('../../contexts/', import.meta.url).href

/** `context` is what documents are compacted with. The thread starts with the first question. */
export const createGraphs = (
  context: readonly unknown[],
  { slowestMs = SLOWEST_MS, mostWaiting = MOST_WAITING } = {},
): Graphs => {
  let thread: Worker | null = null
  /** True once the thread answered: before that, starting takes its time, which is not the document’s fault. */
  let isWarm = false
  let current: { task: Task; timer: NodeJS.Timeout } | null = null
  let queue: Task[] = []
  let lastId = 0
  let closed = false

  const finish = (graph: Graph): void => {
    if (current === null) return
    clearTimeout(current.timer)
    const { task } = current
    current = null
    task.answer(graph)
    next()
  }

  /** Whatever it was doing, it does no longer. */
  const drop = (reason: GraphRefusal): void => {
    const dropped = thread
    thread = null
    isWarm = false
    dropped?.removeAllListeners()
    dropped?.on('error', () => {})
    dropped?.terminate()
    finish({ ok: false, reason })
  }

  const start = (): Worker => {
    const worker = new Worker(file, {
      workerData: { folder, context },
      resourceLimits: { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16 },
    })
    worker.unref()
    worker.on('message', (answer: Answer) => {
      isWarm = true
      if (answer.id !== current?.task.id) return
      const { hash, compacted = null, refused = 'no-graph' } = answer
      finish(hash === undefined ? { ok: false, reason: refused } : { ok: true, hash, compacted })
    })
    // Out of memory, for one thing.
    worker.on('error', () => worker === thread && drop('no-graph'))
    worker.on('exit', () => worker === thread && drop('no-graph'))
    return worker
  }

  const next = (): void => {
    if (current !== null) return
    const task = queue.shift()
    if (task === undefined) return
    thread ??= start()
    const timer = setTimeout(() => drop('too-slow'), isWarm ? slowestMs : slowestMs + STARTING_MS)
    current = { task, timer }
    thread.postMessage({ id: task.id, text: task.text, wantsCompact: task.wantsCompact })
  }

  return {
    read(text, { compact = false } = {}) {
      if (text.length > LARGEST) return Promise.resolve({ ok: false, reason: 'too-large' })
      if (closed || queue.length >= mostWaiting) return Promise.resolve({ ok: false, reason: 'too-busy' })
      return new Promise((answer) => {
        queue.push({ id: ++lastId, text, wantsCompact: compact, answer })
        next()
      })
    },
    async close() {
      closed = true
      const waiting = queue
      queue = []
      for (const task of waiting) task.answer({ ok: false, reason: 'too-busy' })
      drop('too-busy')
    },
  }
}
